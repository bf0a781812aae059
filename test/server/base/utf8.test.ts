import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readPageUrl } from '../../../server/base/page-url.ts';
import { cutUtf8, utf8Length } from '../../../server/base/utf8.ts';

const anyText = fc.string({ unit: 'binary' });
// Any UTF-16 there is, halves of pairs included.
const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

describe('UTF-8', () => {
  test('is as long as Node writes it', () =>
    fc.assert(
      fc.property(fc.oneof(anyText, anyUnits), (text) =>
        assert.equal(utf8Length(text), Buffer.byteLength(text)),
      ),
    ));

  test('is cut at the last character that fits', () =>
    fc.assert(
      fc.property(fc.oneof(anyText, anyUnits), fc.nat(60), (text, most) => {
        const cut = cutUtf8(text, most);
        assert.ok(text.startsWith(cut) && Buffer.byteLength(cut) <= most);
        assert.ok(!text.isWellFormed() || cut.isWellFormed());
        const [next = ''] = text.slice(cut.length);
        assert.ok(next === '' || Buffer.byteLength(cut + next) > most);
      }),
    ));
});

describe('the URL of a page', () => {
  for (const [given, expected] of [
    ['HTTP://Example.ORG:80/a/./b/../c?x#y', 'http://example.org/a/c?x'],
    ['https://münchen.de/ß', 'https://xn--mnchen-3ya.de/%C3%9F'],
    [' https://a.b/\n ', 'https://a.b/'],
    ['https:\\\\a.b\\c', 'https://a.b/c'],
    ['https://a.b/?#', 'https://a.b/?'],
    ['https://[::1]:8443', 'https://[::1]:8443/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
  ] as const) {
    test(`${JSON.stringify(given)} is ${expected}`, () => assert.equal(readPageUrl(given), expected));
  }

  for (const given of [
    '',
    'a',
    '//a.b',
    'mailto:a@b',
    'data:,x',
    'https://',
    'https://u@a.b',
    'https://:p@a.b',
    'https://a b/',
  ]) {
    test(`${JSON.stringify(given)} is none`, () => assert.throws(() => readPageUrl(given), RangeError));
  }

  test('that was read once stays as it is', () =>
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
        assert.equal(readPageUrl(readPageUrl(url)), readPageUrl(url));
      }),
    ));
});
