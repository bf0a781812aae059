/** Our choice: whoever waits longer than this for a page has left, and may press "try again". */
const MOST_SECS = 30;

/**
 * Seconds to wait by a Retry-After header (RFC 9110 §10.2.3), 0..30, or null where there is none that can be read.
 *
 * @param date the answer's Date header: a Retry-After that is a date counts from there, not from this device's clock
 */
export function retryAfterSecs(retryAfter: string | null, date: string | null): number | null {
  if (retryAfter === null) return null;
  const secs = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.parse(date ?? '')) / 1000;
  return Number.isNaN(secs) ? null : Math.min(MOST_SECS, Math.max(0, secs));
}
