import type { SiteRecord } from './site.ts';

const DAY_SECS = 86_400;

/** What a site without a tenant may be. */
export const PILOT = { days: 14, pages: 2_000, bytes: 256 * 1_048_576 } as const;

// A durable write a query would cost more than the query; days are what is measured with it.
const COARSE_SECS = 3_600;

/** When a pilot ends, used or not; null for a site of a tenant. */
export const pilotEndsAtSecs = ({ tenant, createdAtSecs }: SiteRecord): number | null =>
  tenant === null ? createdAtSecs + PILOT.days * DAY_SECS : null;

/**
 * Whether the time of a site is over: a pilot's 14 days, or the days without query and write that its profile says.
 *
 * @param subscribedUntilSecs when its tenant's last paying key was revoked: Infinity while one is good, 0 without any. So
 * that a site whose tenant changes keys is not lost in between, its days count from there.
 */
export function isOver(site: SiteRecord, nowSecs: number, subscribedUntilSecs: number): boolean {
  const pilotEnd = pilotEndsAtSecs(site);
  if (pilotEnd !== null) return nowSecs >= pilotEnd;
  const idleSince = Math.max(site.usedAtSecs, subscribedUntilSecs);
  return nowSecs >= idleSince + site.profile.retentionDays * DAY_SECS;
}

/** Whether a use at `nowSecs` is worth writing down. */
export const isUseNews = (site: SiteRecord, nowSecs: number): boolean =>
  nowSecs - site.usedAtSecs >= COARSE_SECS;
