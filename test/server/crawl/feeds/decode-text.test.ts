import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from '../../../../server/crawl/feeds/decode-text.ts';

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);
const xml = (encoding: string, text: string) => `<?xml version='1.0' encoding='${encoding}'?><a>${text}</a>`;

for (const [title, from, type, text] of [
  ['UTF-8 where nothing is said', bytes('<a>é</a>'), null, '<a>é</a>'],
  [
    'a byte order mark before all words',
    bytes(`\ufeff${xml('latin1', 'é')}`),
    'text/xml; charset=latin1',
    xml('latin1', 'é'),
  ],
  ['the header before the prolog', bytes('é', 'latin1'), 'application/xml; charset="iso-8859-1"', 'é'],
  ['the prolog', bytes(xml('ISO-8859-1', 'é'), 'latin1'), 'application/xml', xml('ISO-8859-1', 'é')],
  ['the euro sign of windows-1252', Buffer.from([0x80]), 'text/xml; charset=windows-1252', '€'],
  ['Shift_JIS', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'text/xml; charset=Shift_JIS', '日本'],
  ['a meta of HTML', bytes('<meta charset=latin1><p>é', 'latin1'), 'text/html', '<meta charset=latin1><p>é'],
  ['UTF-16 with a mark', bytes('\ufeff<a>é</a>', 'utf16le'), null, '<a>é</a>'],
  ['UTF-16 that lost its mark', bytes('<a>é</a>', 'utf16le'), null, '<a>é</a>'],
  ['a prolog that says UTF-16 and is not', bytes(xml('utf-16', 'é')), null, xml('utf-16', 'é')],
  ['names that nobody knows', bytes(xml('klingon', 'é')), 'text/xml; charset=x-nothing', xml('klingon', 'é')],
  ['bytes that are no text', Buffer.from([0x61, 0xff, 0x62]), null, 'a\ufffdb'],
  ['nothing', Buffer.of(), null, ''],
] as const) {
  test(title, () => assert.equal(decodeText(from, type), text));
}

test('a prolog without an end is looked for only so far', () => {
  const text = `<?xml ${'encoding '.repeat(1_000_000)}`;
  assert.equal(decodeText(bytes(text), null), text);
});
