/**
 * Indexing and querying beside MiniSearch: `node bench/search-speed.ts PAGES.jsonl.gz` with lines of `id`, `title`,
 * `text`. Both run in this process and answer the same queries, made from the pages with a fixed seed: words of titles,
 * beginnings of them, and words with one typing error; each query is asked for the page that it was made from.
 * MiniSearch holds everything in memory; ours reads its store and gives titles, snippets and marks.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import MiniSearch from 'minisearch';
import { openBenchIndex, pageOf } from './search-pages.ts';

type Source = { id: string; title: string; text: string; headings?: string[] };
type Query = { text: string; wanted: string };

const QUERIES = 300;
const ROUNDS = 5;
const RESULTS = 10;

const bytes = readFileSync(process.argv[2]);
const sources: Source[] = gunzipSync(bytes)
  .toString('utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const rawBytes = sources.reduce(
  (sum, { title, text }) => sum + Buffer.byteLength(title) + Buffer.byteLength(text),
  0,
);
const kinds = makeQueries(sources);

const opened = await openBenchIndex();
const pages = sources.map(({ id, title, text, headings }) => pageOf(id, title, text, headings ?? []));
const names = new Map(pages.map(({ id }, i) => [id, sources[i].id]));
let from = performance.now();
for (let at = 0; at < pages.length; at += 1_000) {
  await opened.index.put('bench', pages.slice(at, at + 1_000), Number.MAX_SAFE_INTEGER);
}
const ownSeconds = (performance.now() - from) / 1_000;
const index = await opened.reopen();

from = performance.now();
const peer = new MiniSearch({ fields: ['title', 'text'], storeFields: ['title'] });
peer.addAll(sources);
const peerSeconds = (performance.now() - from) / 1_000;

const rate = (seconds: number) => Math.round(sources.length / seconds);
console.log(
  `${sources.length} pages, ${(rawBytes / 2 ** 20).toFixed(1)} MiB of text, file ${(opened.fileBytes() / 2 ** 20).toFixed(1)} MiB`,
);
console.log(`indexing, pages/s: gatehouse (durable) ${rate(ownSeconds)}, minisearch ${rate(peerSeconds)}`);
console.log('ms: p50 / p99 (known item: mean reciprocal rank, found in the first 10)');

const request = { offset: 0, limit: RESULTS, labels: [], sort: 'relevance', synonyms: [] } as const;
for (const [kind, queries] of Object.entries(kinds)) {
  const options = kind === 'typo' ? { fuzzy: 0.2 } : kind === 'prefix' ? { prefix: true } : {};
  const own: number[] = [];
  const theirs: number[] = [];
  const ownRanks: number[] = [];
  const theirRanks: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const askOwn = async () => {
      for (const { text, wanted } of queries) {
        const start = performance.now();
        const { hits } = await index.search('bench', { ...request, query: text });
        own.push(performance.now() - start);
        if (round === 0) ownRanks.push(hits.findIndex(({ page }) => names.get(page.id) === wanted) + 1);
      }
    };
    const askPeer = async () => {
      for (const { text, wanted } of queries) {
        const start = performance.now();
        const hits = peer.search(text, options).slice(0, RESULTS);
        theirs.push(performance.now() - start);
        if (round === 0) theirRanks.push(hits.findIndex(({ id }) => id === wanted) + 1);
      }
    };
    // The order is turned each round: whoever comes second finds warmer caches.
    for (const ask of round % 2 === 0 ? [askOwn, askPeer] : [askPeer, askOwn]) await ask();
  }
  const ratio = (share: number) => (percentile(own, share) / percentile(theirs, share)).toFixed(2);
  console.log(
    `${kind.padEnd(7)} gatehouse ${show(own, ownRanks)}   minisearch ${show(theirs, theirRanks)}   ratio ${ratio(0.5)} / ${ratio(0.99)}`,
  );
}
await opened.close();

function show(times: readonly number[], ranks: readonly number[]): string {
  const found = ranks.filter((rank) => rank > 0);
  const mrr = found.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length;
  return `${percentile(times, 0.5).toFixed(2)} / ${percentile(times, 0.99).toFixed(2)} (${mrr.toFixed(3)}, ${((100 * found.length) / ranks.length).toFixed(0)}%)`;
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function makeQueries(from: readonly Source[]): Record<string, Query[]> {
  let seed = 1;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const word: Query[] = [];
  const prefix: Query[] = [];
  const typo: Query[] = [];
  while (word.length < QUERIES) {
    const source = from[next(from.length)];
    const words = source.title.match(/[A-Za-z]{5,}/g) ?? [];
    if (words.length < 2) continue;
    const [first, second] = [words[next(words.length)], words[next(words.length)]].map((text) =>
      text.toLowerCase(),
    );
    // One word for half of them, two for the others.
    const text = word.length % 2 === 0 || first === second ? first : `${first} ${second}`;
    word.push({ text: `${text} `, wanted: source.id });
    prefix.push({ text: text.slice(0, text.length - Math.min(2, text.length - 3)), wanted: source.id });
    typo.push({ text: `${misspell(text, next)} `, wanted: source.id });
  }
  return { word, prefix, typo };
}

// Two neighbours inside of the word are exchanged, or a letter is left out.
function misspell(text: string, next: (below: number) => number): string {
  const at = 1 + next(3);
  const exchanged = text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
  return next(2) === 0 && exchanged !== text ? exchanged : text.slice(0, at) + text.slice(at + 1);
}
