import type { CrawlStore } from './core/ports.ts';

/**
 * Whose a text is in this crawl: the first page that claims it. A crawl runs in one process, so a claim counts at once and
 * is written down with what else the visit found; until then it is kept here.
 */
export function createTextClaims(store: Pick<CrawlStore, 'textOwner'>, crawlId: string) {
  const fresh = new Map<string, string>();
  return {
    claim(textHash: string, url: string): string {
      const owner = fresh.get(textHash) ?? store.textOwner(crawlId, textHash);
      if (owner !== null) return owner;
      fresh.set(textHash, url);
      return url;
    },
    /** The claim is written down. */
    forget: (textHash: string) => void fresh.delete(textHash),
  };
}
