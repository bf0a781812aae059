import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configFor } from '../../../../server/search/core/crawl-config.ts';

const profile = {
  configs: ['https://a.org/', 'https://a.org/docs', 'https://a.org/docs/new/', 'https://b.org/?x=1'].map(
    (url) => ({
      url,
      pageBodyCssSelector: null,
      sitemapsOnly: false,
      allowUrlWithQuery: false,
      pagesPerSecond: null,
    }),
  ),
  recrawlHours: null,
  synonyms: [],
  retentionDays: 90,
};

for (const [url, expected] of [
  ['https://a.org/', 'https://a.org/'],
  ['https://a.org/docsearch', 'https://a.org/'],
  ['https://a.org/docs', 'https://a.org/docs'],
  ['https://a.org/docs?x', 'https://a.org/docs'],
  ['https://a.org/docs/new', 'https://a.org/docs/new/'],
  ['https://a.org/docs/new/x', 'https://a.org/docs/new/'],
  ['https://a.org.evil/', undefined],
  ['https://a.org:8443/', undefined],
  ['http://a.org/', undefined],
  ['https://b.org/y', 'https://b.org/?x=1'],
] as const) {
  test(`${url} goes by ${expected ?? 'none'}`, () => assert.equal(configFor(profile, url)?.url, expected));
}
