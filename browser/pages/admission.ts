import type { AdmissionPageData } from '../../server/wire/pow.ts';

/** The facts in `data-admission`, or null when the server did not fill the page in. */
export function readAdmission(text: string | undefined): AdmissionPageData | null {
  try {
    const admission: AdmissionPageData | null = JSON.parse(text ?? '');
    return typeof admission?.how === 'string' ? admission : null;
  } catch {
    return null;
  }
}

/**
 * When the passport ends, in Unix milliseconds of this device's clock, or null when it has no end that we know.
 *
 * The server's `now` is what it is counted from: a device whose clock is minutes off would otherwise see the passport
 * run out early or not at all.
 */
export function passportEndMs(admission: AdmissionPageData, nowMs: number): number | null {
  if (admission.expires_at === null) return null;
  return nowMs + (admission.expires_at - admission.now) * 1000;
}
