/** Texts and how often each came, the most frequent first. */
export type TopCounts = readonly (readonly [text: string, count: number])[];

/** What was looked for on a site on one day of UTC. */
export type DayCounts = {
  queries: number;
  withoutResult: number;
  top: TopCounts;
  topWithoutResult: TopCounts;
};

/** How many queries a day of UTC had. */
export type DayTotals = { day: string } & Pick<DayCounts, 'queries' | 'withoutResult'>;

// Our choice: twenty are shown; ten times as many are counted, so that what is frequent is not lost on the way.
export const MOST_COUNTED = 200;
export const MOST_SHOWN = 20;
export const KEPT_DAYS = 30;
const MOST_CHARS = 128;

export const noCounts = (): DayCounts => ({
  queries: 0,
  withoutResult: 0,
  top: [],
  topWithoutResult: [],
});

/**
 * Adds `count` of a text. Where there is no room the rarest gives its place and its count to the new one ("space-saving",
 * Metwally, Agrawal, El Abbadi 2005): counts are never too low, and too high by at most the total over `MOST_COUNTED`.
 */
export function countText(counts: Map<string, number>, text: string, count = 1): void {
  const known = counts.get(text);
  if (known !== undefined || counts.size < MOST_COUNTED) {
    counts.set(text, (known ?? 0) + count);
    return;
  }
  let rarest = '';
  let least = Number.POSITIVE_INFINITY;
  for (const [other, times] of counts) {
    if (times < least) {
      rarest = other;
      least = times;
    }
  }
  counts.delete(rarest);
  counts.set(text, least + count);
}

/** Both together, as if counted as one; the rarest go where it is too many. */
export function mergeCounts(a: DayCounts, b: DayCounts): DayCounts {
  const merge = (left: TopCounts, right: TopCounts): TopCounts => {
    const sums = new Map(left);
    for (const [text, count] of right) sums.set(text, (sums.get(text) ?? 0) + count);
    return pack(sums);
  };
  return {
    queries: a.queries + b.queries,
    withoutResult: a.withoutResult + b.withoutResult,
    top: merge(a.top, b.top),
    topWithoutResult: merge(a.topWithoutResult, b.topWithoutResult),
  };
}

/** The counts as they are kept. */
export const pack = (counts: ReadonlyMap<string, number>): TopCounts => sorted(counts).slice(0, MOST_COUNTED);

/** The most frequent, as they are shown. */
export const showTop = (counts: TopCounts): { query: string; count: number }[] =>
  counts.slice(0, MOST_SHOWN).map(([query, count]) => ({ query, count }));

const sorted = (counts: ReadonlyMap<string, number>) =>
  [...counts].sort(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? -1 : 1));

/**
 * The text under which a query is counted, or null where its words are not kept: what is long was pasted, `@` is in
 * addresses, and six digits or more are in the numbers of telephones, cards, accounts and orders.
 */
export function countedText(query: string): string | null {
  const text = query.trim().replace(/\s+/g, ' ').toLowerCase();
  if (text.length > MOST_CHARS || text.includes('@')) return null;
  return (text.match(/\p{Nd}/gu) ?? []).length >= 6 ? null : text;
}

/** The day of UTC, `2026-01-31`. */
export const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);
