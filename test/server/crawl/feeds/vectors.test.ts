import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decodeText } from '../../../../server/crawl/feeds/decode-text.ts';
import { makeEntryPages } from '../../../../server/crawl/feeds/entry-pages.ts';
import { readFeedEntries } from '../../../../server/crawl/feeds/feed-entries.ts';
import { createExtractPage } from '../../../../server/search/extract-page.ts';

const folder = new URL('../../../vectors/feeds/', import.meta.url);
const names = readdirSync(folder).filter((name) => /(?<!expected)\.(xml|json)$/.test(name));

test('there are feeds of every kind', () => assert.ok(names.length >= 12));

for (const name of names) {
  test(`${name} gives its entries`, async () => {
    const text = decodeText(readFileSync(new URL(name, folder)), 'application/xml');
    const { entries } = readFeedEntries(text, 'https://feeds.example/feed');
    const made = await makeEntryPages(entries, createExtractPage('GatehouseBot'), () => true);
    const expected = JSON.parse(readFileSync(new URL(`${name}.expected.json`, folder), 'utf8'));
    assert.deepEqual(made, expected);
  });
}
