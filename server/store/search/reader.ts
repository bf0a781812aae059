import { completeText } from '../../search/core/complete.ts';
import type { Hit, IndexPage, SearchAnswer, SearchRequest } from '../../search/core/ports.ts';
import { bodyPositions } from '../../search/core/proximity.ts';
import { type Ranking, type RankSource, rankPages } from '../../search/core/rank.ts';
import {
  bestWindow,
  cutSnippet,
  makeWanted,
  markText,
  offsetBefore,
  type Wanted,
} from '../../search/core/snippet.ts';
import type { TextTools } from '../../search/core/text-tools.ts';
import { scanTerms, type TermSink } from '../../search/core/tokens.ts';
import { createDocumentReader, type PageHead, type StoredDocument } from './documents.ts';
import type { HotSites, SiteView } from './hot-sites.ts';
import { KIND, pageKey, plainKey } from './keys.ts';
import { type PageRow, parsePageRow, readPageRow } from './page-rows.ts';
import { numberOfSite, readState, type SearchTable } from './site-state.ts';

const NOTHING: SearchAnswer = { total: 0, hits: [], labels: [], suggestion: null };
// Our choice: languages in whose forms a word of a query is looked for.
const MOST_LANGUAGES = 4;
// A language that so few pages have is likely a wrong guess, and each one makes more forms to look for.
const LEAST_SHARE = 0.03;
const SNIPPET_READ = 1_200;
const SNIPPET_START = 80;
const WORD_UNITS = 8;
const POSITIONS_READ = 64;

type Opened = { site: number; view: SiteView; source: RankSource };

/** Answers from the store. Every function reads within one turn, so within one state of the store. */
export function createReader(table: SearchTable, hot: HotSites, tools: TextTools) {
  const readDocument = createDocumentReader(table);

  function openSite(siteId: string): Opened | null {
    // Another process may have written since this turn's snapshot was taken.
    table.resetReadTxn();
    const site = numberOfSite(table, siteId);
    if (site === 0) return null;
    const view = hot.open(site);
    const { state } = view;
    const languages = Object.entries(state.languages)
      .filter(([language, pages]) => language !== '' && pages >= state.pages * LEAST_SHARE)
      .sort((a, b) => b[1] - a[1])
      .slice(0, MOST_LANGUAGES)
      .map(([language]) => language);
    const source: RankSource = {
      ...view,
      vocabulary: view,
      languages: languages.length > 0 ? languages : ['en'],
      pages: state.pages,
    };
    return { site, view, source };
  }

  function pageOf(site: number, view: SiteView, row: PageRow): StoredDocument | null {
    const place = view.placeOfSerial(row.serial);
    return place && readDocument(site, place);
  }

  function showHit(
    { site, view }: Opened,
    doc: number,
    score: number,
    ranking: Ranking,
    wanted: Wanted,
  ): Hit | null {
    const stored = readDocument(site, view.placeOf(doc));
    if (!stored) return null;
    const { head } = stored;
    return {
      page: head,
      score,
      title: markText(head.title, wanted, tools),
      snippet: markText(snippetOf(stored, doc, ranking, wanted), wanted, tools),
      url: markText(head.url, wanted, tools),
    };
  }

  function snippetOf(stored: StoredDocument, doc: number, ranking: Ranking, wanted: Wanted): string {
    const found = bodyPositions(ranking.words, doc, POSITIONS_READ);
    const worths = ranking.words.map(({ worth }) => worth);
    const position = found.length > 0 ? bestWindow(found, worths) : 0;
    const before = offsetBefore(stored.offsets, position);
    const { text, isEnd } = stored.bodyFrom(before.offset, SNIPPET_READ);
    const part = text.slice(0, SNIPPET_READ * 2);
    const start = startOf(part, position, before.position, wanted);
    return cutSnippet(part, start, before.offset === 0, isEnd && part.length === text.length);
  }

  // The offset of the first word that is wanted at or after `position`: nearly always one of the next 32 words.
  function startOf(part: string, position: number, first: number, wanted: Wanted): number {
    if (position <= first) return 0;
    const likely = SNIPPET_START + (position - first) * WORD_UNITS;
    for (const to of [Math.min(likely, part.length), part.length]) {
      let start = -1;
      const find: TermSink = (_term, at, from) => {
        if (start < 0 && at >= position) start = from;
      };
      scanTerms(part, tools, find, first, 0, to, wanted.starts);
      if (start >= 0) return start;
    }
    return 0;
  }

  return {
    search(siteId: string, request: SearchRequest): SearchAnswer {
      const opened = openSite(siteId);
      if (!opened) return NOTHING;
      const ranking = rankPages(request, opened.source, tools);
      const wanted = makeWanted(ranking.wanted);
      const hits: Hit[] = [];
      for (const { doc, score } of ranking.docs) {
        const hit = showHit(opened, doc, score, ranking, wanted);
        if (hit) hits.push(hit);
      }
      return { total: ranking.total, hits, labels: ranking.labels, suggestion: ranking.suggestion };
    },
    autocomplete(siteId: string, text: string, limit: number): string[] {
      const opened = openSite(siteId);
      if (!opened) return [];
      const { queries, titled } = completeText(text, opened.source, tools);
      const titles = titled.flatMap(
        (doc) => readDocument(opened.site, opened.view.placeOf(doc))?.head.title ?? [],
      );
      // Words fill at most half where titles begin so as well.
      const words = queries.slice(0, Math.max(Math.ceil(limit / 2), limit - titles.length));
      const seen = new Set<string>();
      const results: string[] = [];
      for (const query of [...words, ...titles, ...queries]) {
        const plain = query.toLowerCase();
        if (!seen.has(plain)) results.push(query);
        seen.add(plain);
      }
      return results.slice(0, limit);
    },
    get(siteId: string, pageId: string): IndexPage | null {
      const opened = openSite(siteId);
      const row = opened && readPageRow(table, opened.site, pageId);
      const stored = row && pageOf(opened.site, opened.view, row);
      return stored && { ...stored.head, headings: stored.headings(), body: stored.body() };
    },
    list(siteId: string, after: string | null, limit: number): PageHead[] {
      const opened = openSite(siteId);
      if (!opened) return [];
      const { site, view } = opened;
      const start =
        after === null ? plainKey(site, KIND.page) : Buffer.concat([pageKey(site, after), Buffer.of(0)]);
      const heads: PageHead[] = [];
      for (const { value } of table.getRange({ start, end: plainKey(site, KIND.texts), limit })) {
        const stored = pageOf(site, view, parsePageRow(value));
        if (stored) heads.push(stored.head);
      }
      return heads;
    },
    size(siteId: string): { pages: number; bytes: number } {
      table.resetReadTxn();
      const site = numberOfSite(table, siteId);
      if (site === 0) return { pages: 0, bytes: 0 };
      const { pages, bytes } = readState(table, site);
      return { pages, bytes };
    },
  };
}
