/**
 * Growth: `node bench/search-growth.ts [PAGES …]` fills one site with generated pages (words by Zipf's law, fixed seed)
 * to each size in turn and tells pages/s, latency of one- and two-word queries and memory, with the exponent fitted over
 * the sizes (1 = in proportion). `node bench/search-growth.ts --sites N` fills N sites of 100 pages and tells what
 * opening one costs and what all together hold in memory.
 */
import type { IndexPage } from '../server/search/core/ports.ts';
import { openBenchIndex, pageOf } from './search-pages.ts';
import { median } from './statistics.ts';

let seed = 7;
const chance = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
// The rank of a word: log-uniform, which is Zipf's law with exponent 1, over 200,000 words.
const word = () => `w${Math.floor(200_000 ** chance()).toString(36)}`;
const page = (n: number): IndexPage =>
  pageOf(String(n), `${word()} ${word()} ${word()}`, Array.from({ length: 120 }, word).join(' '));
const request = { offset: 0, limit: 10, labels: [], sort: 'relevance', synonyms: [] } as const;
const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

if (process.argv[2] === '--sites') await measureSites(Number(process.argv[3]));
else await measureGrowth(process.argv.slice(2).map(Number));

async function measureGrowth(given: readonly number[]): Promise<void> {
  const sizes = given.length > 0 ? given : [1_000, 10_000, 100_000];
  const opened = await openBenchIndex();
  const points: { pages: number; one: number; two: number }[] = [];
  let filled = 0;
  for (const size of sizes) {
    const from = performance.now();
    const before = filled;
    while (filled < size) {
      const batch = Array.from({ length: Math.min(1_000, size - filled) }, () => page(filled++));
      await opened.index.put('bench', batch, Number.MAX_SAFE_INTEGER);
    }
    const rate = (filled - before) / ((performance.now() - from) / 1_000);
    const time = async (words: number) => {
      const times: number[] = [];
      for (let i = 0; i < 300; i++) {
        const query = `${Array.from({ length: words }, word).join(' ')} `;
        const start = performance.now();
        await opened.index.search('bench', { ...request, query });
        times.push(performance.now() - start);
      }
      return { p50: median(times), p99: times.toSorted((a, b) => a - b)[296] };
    };
    const [one, two] = [await time(1), await time(2)];
    points.push({ pages: size, one: one.p50, two: two.p50 });
    console.log(
      `${size} pages: ${Math.round(rate)} pages/s, one word ${one.p50.toFixed(2)} / ${one.p99.toFixed(2)} ms, two words ${two.p50.toFixed(2)} / ${two.p99.toFixed(2)} ms, process ${mebibytes(process.memoryUsage().rss)}, file ${mebibytes(opened.fileBytes())}`,
    );
  }
  if (points.length > 1) {
    console.log(
      `fitted exponent of the median: one word ${fit(points, 'one')}, two words ${fit(points, 'two')}`,
    );
  }
  await opened.close();
}

// The slope of the least-squares line through the logarithms.
function fit(points: readonly { pages: number; one: number; two: number }[], of: 'one' | 'two'): string {
  const x = points.map(({ pages }) => Math.log(pages));
  const y = points.map((point) => Math.log(point[of]));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const slope =
    x.reduce((sum, value, i) => sum + (value - mx) * (y[i] - my), 0) /
    x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
  return slope.toFixed(2);
}

async function measureSites(sites: number): Promise<void> {
  const opened = await openBenchIndex();
  const pages = Array.from({ length: 100 }, (_, n) => page(n));
  for (let at = 0; at < sites; at += 10) {
    const some = Array.from({ length: Math.min(10, sites - at) }, (_, i) => `site${at + i}`);
    await Promise.all(some.map((site) => opened.index.put(site, pages, Number.MAX_SAFE_INTEGER)));
  }
  const index = await opened.reopen();
  globalThis.gc?.();
  const before = process.memoryUsage();
  const first: number[] = [];
  const again: number[] = [];
  for (let n = 0; n < sites; n++) {
    for (const times of [first, again]) {
      const start = performance.now();
      await index.search(`site${n}`, { ...request, query: `${word()} ` });
      times.push(performance.now() - start);
    }
  }
  globalThis.gc?.();
  const after = process.memoryUsage();
  console.log(
    `${sites} sites of 100 pages: first query of a site ${median(first).toFixed(2)} ms, the second ${median(again).toFixed(2)} ms; heap ${mebibytes(before.heapUsed)} → ${mebibytes(after.heapUsed)}, process ${mebibytes(after.rss)}, file ${mebibytes(opened.fileBytes())}`,
  );
  await opened.close();
}
