import { type Answer, readAnswer } from './answer.ts';
import { type Failure, PAGE_RESULTS } from './finder-state.ts';

/** What is asked of the server. */
export type Question = { query: string; labels: readonly string[]; page: number };

export type Outcome = { answer: Answer } | { failure: Failure };

/** Rejects only where `signal` ended it. */
export type AskServer = (question: Question, signal: AbortSignal) => Promise<Outcome>;

/** @param api origin of the server */
export function createSearchClient(api: string, siteId: string, fetchNow: typeof fetch): AskServer {
  return async function askServer({ query, labels, page }, signal) {
    const url = new URL(`/sites/${encodeURIComponent(siteId)}/search`, api);
    url.searchParams.set('query', query);
    for (const label of labels) url.searchParams.append('label', label);
    url.searchParams.set('limit', String(PAGE_RESULTS));
    if (page > 1) url.searchParams.set('page', String(page));
    try {
      // Nobody is known to the server by searching: no cookie, and no address of the page.
      const response = await fetchNow(url.href, {
        signal,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      });
      if (!response.ok) return { failure: response.status === 404 ? 'setup' : 'server' };
      const answer = readAnswer(await response.json());
      return answer ? { answer } : { failure: 'server' };
    } catch (error) {
      if (signal.aborted) throw error;
      // `fetch` and its body reject with a TypeError where the network fails, JSON with a SyntaxError.
      return { failure: error instanceof TypeError ? 'offline' : 'server' };
    }
  };
}
