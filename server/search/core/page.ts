import type { IndexPage } from './ports.ts';

/** What is written: a page as it was read at the door, whoever brings it. */
export type PageToWrite = Omit<IndexPage, 'id' | 'updatedAtSecs' | 'source'>;

/** How many items a listing gives where nothing is said. */
export const MOST_LISTED = 100;

/** The first of `hosts` that is not `host`, or where that is still open not the first of them; null: there is none. */
export function findOtherHost(hosts: readonly string[], host: string | null): string | null {
  const only = host ?? hosts[0];
  return hosts.find((other) => other !== only) ?? null;
}
