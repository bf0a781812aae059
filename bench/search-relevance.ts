/**
 * Relevance on a judged collection: `node bench/search-relevance.ts FOLDER …`, where each folder has `corpus.jsonl`
 * (`id`, `title`, `text`), `queries.tsv` and `qrels.tsv`. Binary nDCG@10 and mean average precision, with default settings.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import lunr from 'lunr';
import { meanQuality } from './ranking-quality.ts';
import { openBenchIndex, pageOf } from './search-pages.ts';

type Judged = { id: string; title: string; text: string };

const MOST_RESULTS = 1_000;

for (const folder of process.argv.slice(2)) {
  const pages: Judged[] = readFileSync(join(folder, 'corpus.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const queries = readTable(join(folder, 'queries.tsv'));
  const relevant = new Map<string, Set<string>>();
  for (const [query, page, score] of readTable(join(folder, 'qrels.tsv'))) {
    if (!(Number(score) > 0)) continue;
    const set = relevant.get(query) ?? new Set();
    relevant.set(query, set.add(page));
  }
  const judged = queries.filter(([id]) => relevant.has(id));

  const { index, close } = await openBenchIndex();
  const ids = new Map<string, string>();
  const own = pages.map(({ id, title, text }) => {
    const page = pageOf(id, title, text);
    ids.set(page.id, id);
    return page;
  });
  for (let at = 0; at < own.length; at += 1_000) {
    await index.put('bench', own.slice(at, at + 1_000), Number.MAX_SAFE_INTEGER);
  }
  const ours = new Map<string, string[]>();
  for (const [id, text] of judged) {
    const request = {
      query: text,
      offset: 0,
      limit: MOST_RESULTS,
      labels: [],
      sort: 'relevance',
      synonyms: [],
    } as const;
    const { hits } = await index.search('bench', request);
    ours.set(
      id,
      hits.map(({ page }) => ids.get(page.id) as string),
    );
  }
  await close();

  const peer = lunr(function build() {
    this.ref('id');
    this.field('title');
    this.field('text');
    for (const page of pages) this.add(page);
  });
  const theirs = new Map<string, string[]>();
  for (const [id, text] of judged) {
    // Through its own query builder, since its syntax would read signs of the sentence as operators.
    const ranked = peer.query((query) => {
      for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) query.term(word, {});
    });
    theirs.set(
      id,
      ranked.slice(0, MOST_RESULTS).map(({ ref }) => ref),
    );
  }

  console.log(`${basename(folder)}: ${pages.length} pages, ${judged.length} judged queries`);
  for (const [name, ranked] of [
    ['gatehouse', ours],
    ['lunr', theirs],
  ] as const) {
    const { ndcg10, map, mrr } = meanQuality(ranked, relevant);
    console.log(
      `  ${name.padEnd(10)} nDCG@10 ${ndcg10.toFixed(3)}  MAP ${map.toFixed(3)}  MRR ${mrr.toFixed(3)}`,
    );
  }
}

function readTable(path: string): string[][] {
  const rows = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  return rows[0][0] === 'query-id' ? rows.slice(1) : rows;
}
