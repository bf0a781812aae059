import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePages } from '../../bench/crawl-pages.ts';
import { createExtractPage } from '../../server/search/extract-page.ts';

test('made pages are the same at every run, differ from each other, and are read as documentation is', () => {
  const pages = makePages(50);
  assert.deepEqual(makePages(50), pages);
  const read = createExtractPage('GatehouseBench');
  const texts = pages.map(({ path, html }) => read(html, `http://127.0.0.1${path}`));
  assert.equal(new Set(texts.map(({ body }) => body)).size, 50);
  for (const [i, { headings, links, canonical, body }] of texts.entries()) {
    assert.equal(headings.length, 6);
    assert.equal(links().length, 30);
    assert.equal(canonical, `http://127.0.0.1${pages[i].path}`);
    assert.ok(body.length > 1_000, `${body.length}`);
  }
});
