import type { DayCounts, DayTotals } from './query-counts.ts';

/**
 * Where counts are kept, by site and day. Every implementation passes `test/contract/query-counts.ts`.
 * @throws (what writes) Fault `store-unavailable`
 */
export type QueryCountStore = {
  /** Adds to what is kept of that day, in one atomic step for all. */
  add(counted: readonly { siteId: string; day: string; counts: DayCounts }[]): Promise<void>;
  /** The days from `sinceDay` on, together. */
  read(siteId: string, sinceDay: string): DayCounts;
  /** The days from `sinceDay` on that have counts, the oldest first. */
  days(siteId: string, sinceDay: string): DayTotals[];
  /** Forgets a site. */
  drop(siteId: string): Promise<void>;
  /** Forgets the days before `day`, and says how many there were. */
  purge(day: string): Promise<number>;
};

/** What visitors look for, counted in memory and written down in batches. */
export type QueryLog = {
  count(siteId: string, query: string, hasResult: boolean): void;
  /** What was counted in the days that are kept, and the first of them. */
  read(siteId: string): Promise<{ since: string; counts: DayCounts }>;
  /** Every day that is kept, the oldest first; those without a query as well. */
  days(siteId: string): Promise<DayTotals[]>;
  /** Forgets a site. */
  drop(siteId: string): Promise<void>;
};
