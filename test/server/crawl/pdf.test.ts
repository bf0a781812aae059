import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTimer } from '../../../server/base/system.ts';
import { createReadPdf } from '../../../server/crawl/pdf-text.ts';
import { html, withCrawlWorld } from '../../crawl-world.ts';
import { createTestTimer } from '../../test-timer.ts';

/** A PDF of one page (ISO 32000-1 §7.5), without its table of objects: readers find them by themselves. */
const pdf = (text: string, title: string): Buffer => {
  const stream = `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`;
  return Buffer.from(`%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>> endobj
4 0 obj <</Length ${stream.length}>> stream
${stream}
endstream endobj
5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj
6 0 obj <</Title(${title})>> endobj
trailer <</Root 1 0 R/Info 6 0 R>>
%%EOF`);
};

test('the text of PDFs is found under their title; what is none, or says noindex, is left out', () => {
  const type = { 'content-type': 'application/pdf' };
  return withCrawlWorld(
    {
      '/': html('Home', 'home', '/a.pdf', '/b.pdf', '/c.pdf', '/d.pdf'),
      '/a.pdf': { headers: type, body: pdf('Honey bees of the north', 'On bees') },
      '/b.pdf': { headers: type, body: html('No', 'pdf') },
      '/c.pdf': { headers: { ...type, 'x-robots-tag': 'noindex' }, body: pdf('secret', 'Secret') },
      '/d.pdf': { headers: type, body: '%PDF-1.4 and nothing else' },
    },
    async ({ crawl, pagesOf, find, siteId }) => {
      const done = await crawl();
      assert.deepEqual(done.reasons, ['/b.pdf content-type', '/c.pdf noindex', '/d.pdf content-type']);
      assert.equal(
        (await pagesOf()).find(({ title }) => title === 'On bees')?.body,
        'Honey bees of the north',
      );
      assert.equal((await find({ siteId, siteSecret: '' }, 'honey')).total, 1);
    },
  );
});

test('a PDF that takes too long is given up, and the next one is read', async () => {
  const timer = createTestTimer();
  const slow = createReadPdf(timer);
  const reading = slow(pdf('a', 'b'));
  // The limit is set as soon as the thread is made.
  await new Promise((resolve) => setImmediate(resolve));
  timer.fire();
  await assert.rejects(reading, /no text within/);
  assert.equal((await slow(pdf('text', 'title'))).text, 'text');
  await assert.rejects(createReadPdf(systemTimer)(Buffer.from('no')), Error);
});
