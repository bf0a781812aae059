import { createHash } from 'node:crypto';
import type { IndexPage, SearchRequest } from '../server/search/core/ports.ts';

/** A page for tests; its id and URL come from `name`. */
export function makePage(name: string, given: Partial<IndexPage> = {}): IndexPage {
  const url = `https://example.org/${name}`;
  return {
    id: createHash('sha256').update(`site${url}`).digest('hex'),
    url,
    title: '',
    headings: [],
    body: '',
    labels: [],
    thumbnail: null,
    language: null,
    updatedAtSecs: 1_700_000_000,
    publishedAtSecs: null,
    source: 'api',
    ...given,
  };
}

/** A request for the first ten by relevance. */
export const request = (query: string, given: Partial<SearchRequest> = {}): SearchRequest => ({
  query,
  offset: 0,
  limit: 10,
  labels: [],
  sort: 'relevance',
  synonyms: [],
  ...given,
});
