/** Addresses from which on a site counts as large (the specification: 10,000). */
export const LARGE_SITE = 10_000;

export type SpeedRequest = {
  /** Addresses that the crawl knows of. */
  known: number;
  isPilot: boolean;
  /** What the profile asks for, or null. */
  asked: number | null;
  /** `CRAWL_RATE` and `CRAWL_MAX_RATE`. */
  base: number;
  most: number;
  crawlDelaySecs: number | null;
};

/**
 * Pages a second that a crawl may ask a host for.
 *
 * The base speed; on a large site more, by the square of how large it is, up to the maximum: 100 times 2 a second at
 * 70,000 addresses. A keyed site may ask for any speed up to the maximum, a pilot only for less than it would get. What
 * robots.txt asks for wins over all.
 */
export function pagesPerSecond({ known, isPilot, asked, base, most, crawlDelaySecs }: SpeedRequest): number {
  const size = Math.max(1, known / LARGE_SITE);
  const ordinary = Math.min(Math.max(base, most), base * size * size);
  const wanted = asked === null ? ordinary : Math.min(asked, isPilot ? ordinary : Math.max(base, most));
  return crawlDelaySecs ? Math.min(wanted, 1 / crawlDelaySecs) : wanted;
}
