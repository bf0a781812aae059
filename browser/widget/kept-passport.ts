import type { HeldPassport } from './passport-source.ts';

/**
 * The passport in what a browser kept of a form, or null.
 * @param state JSON as the widget gave it; a browser may give back what another version of it wrote
 */
export function readKeptPassport(state: unknown): HeldPassport | null {
  try {
    const kept: HeldPassport | null = JSON.parse(String(state));
    const isWhole = typeof kept?.passport === 'string' && Number.isFinite(kept.endMs + kept.ttlSecs);
    return isWhole && typeof kept.solution === 'object' && kept.solution !== null ? kept : null;
  } catch {
    return null;
  }
}
