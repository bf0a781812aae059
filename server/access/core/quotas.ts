import type { KeyTier } from '../../wire/access.ts';

/** What is counted by calendar month. */
export type Meter = 'ip-lookups' | 'verifications';

/** How much of it a key has each month; null for no bound. The docs print this table. */
export const MONTHLY_QUOTAS: Record<KeyTier, Record<Meter, number | null>> = {
  free: { 'ip-lookups': 100_000, verifications: 0 },
  pro: { 'ip-lookups': null, verifications: 1_000_000 },
  enterprise: { 'ip-lookups': null, verifications: null },
};

/** How many gated routes a key may be for; null for no bound. */
export const MOST_ROUTES: Record<KeyTier, number | null> = { free: 0, pro: 5, enterprise: null };

/** The calendar month of a moment in UTC, as `2026-11`: the name of a counter, so a new month starts at nothing. */
export const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** Whole seconds until the next calendar month of UTC begins, at least 1. */
export function secsToNextMonth(ms: number): number {
  const now = new Date(ms);
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  return Math.max(1, Math.ceil((next - ms) / 1000));
}
