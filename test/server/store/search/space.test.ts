import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEnvironment } from '../../../../server/store/environment.ts';
import { makePage } from '../../../index-pages.ts';
import { openIndex } from '../../../open-index.ts';
import { makeFolder } from '../../../temporary-folder.ts';

// Words as frequent as in a language (Zipf), with lengths like theirs, and always the same.
function makeTexts(pages: number, words: number): string[] {
  let seed = 7;
  const next = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const wordOf = (rank: number) =>
    `${(rank * 2_654_435).toString(36)}${'aeiou'[rank % 5]}`.slice(-3 - (rank % 9));
  return Array.from({ length: pages }, () =>
    Array.from({ length: words }, () => wordOf(Math.floor(20_000 ** next()))).join(' '),
  );
}

// Words by chance compress less than words that follow one another: of real documentation it takes nine tenths.
test('an index with its texts takes no more than 1.3 times the space of texts made by chance', async () => {
  const { folder, remove } = makeFolder();
  const { index, close } = await openIndex({ folder });
  const texts = makeTexts(1_000, 400);
  const pages = texts.map((body, n) => makePage(`p${n}`, { title: `page ${n}`, body }));
  await index.put('site', pages, 1_000_000);
  await close();
  const environment = await openEnvironment(folder);
  const stats = environment.bytes('search').getStats() as Record<string, number>;
  const used = 4_096 * (stats.treeLeafPageCount + stats.treeBranchPageCount + stats.overflowPages);
  const bytes = texts.reduce((sum, body) => sum + Buffer.byteLength(body), 0);
  assert.ok(used <= 1.3 * bytes, `${used} bytes for ${bytes} of text`);
  await environment.close();
  remove();
});
