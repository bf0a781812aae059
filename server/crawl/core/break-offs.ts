import type { CrawlRecord } from './ports.ts';

// Our choices. In all a crawl is tried for some twenty minutes; a fault that passes by itself has done so by then.
const MOST_BREAKS = 6;
const FIRST_PAUSE_SECS = 5;
const PAUSE_GROWTH = 4;
const LONGEST_PAUSE_SECS = 600;

/**
 * What becomes of a crawl that broke off by an error of ours: it is taken up again after a pause that grows, until it broke
 * off six times without having asked for a page in between; then it has failed. The state says so either way, without the
 * error itself, which is for the log.
 */
export function breakOff(
  record: CrawlRecord,
  atSecs: number,
): { record: CrawlRecord; pauseSecs: number | null } {
  const { brokeOff, fetched } = record;
  const count = brokeOff?.fetched === fetched ? brokeOff.count + 1 : 1;
  const told = `an unexpected error of this server broke it off, ${count} of ${MOST_BREAKS} times; the server's log tells it under this crawlId`;
  if (count >= MOST_BREAKS) {
    return { record: { ...record, state: 'failed', endedAtSecs: atSecs, problem: told }, pauseSecs: null };
  }
  const pauseSecs = Math.min(LONGEST_PAUSE_SECS, FIRST_PAUSE_SECS * PAUSE_GROWTH ** (count - 1));
  return { record: { ...record, brokeOff: { count, fetched }, problem: told }, pauseSecs };
}
