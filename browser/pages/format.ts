/** Numbers as people read them. Everything takes the locale, so that a page speaks one language throughout. */

/** A whole count with its group separators: 1048576 → "1,048,576". */
export function formatCount(count: number, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(count);
}

/**
 * Hashes per second: 12_430_000 → "12.4 million hashes/s".
 * Always three digits, so that the text keeps its width while it changes.
 */
export function formatRate(perSec: number, locale: string): string {
  const number = new Intl.NumberFormat(locale, {
    notation: 'compact',
    compactDisplay: 'long',
    minimumSignificantDigits: perSec < 1000 ? 1 : 3,
    maximumSignificantDigits: 3,
  });
  return `${number.format(perSec)} ${locale.startsWith('de') ? 'Hashes/s' : 'hashes/s'}`;
}

/**
 * A probability 0..1 as whole percent, rounded down.
 * Never 100%: a search without an answer is never sure to end, however close to 1 its probability is.
 */
export function formatChance(probability: number, locale: string): string {
  const percent = Math.min(99, Math.max(0, Math.floor(probability * 100)));
  return new Intl.NumberFormat(locale, { style: 'percent' }).format(percent / 100);
}

const unit = (locale: string, value: number, name: 'second' | 'minute' | 'hour', digits = 0) =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: name,
    unitDisplay: 'long',
    maximumFractionDigits: digits,
  }).format(value);

/** A time that has passed, in milliseconds: 84 → "0.08 seconds", 1440 → "1.4 seconds", 125000 → "2 minutes 5 seconds". */
export function formatDuration(ms: number, locale: string): string {
  // Below a hundredth of a second the clock of a browser is too coarse to be quoted.
  if (ms < 995) return unit(locale, Math.max(0.01, ms / 1000), 'second', 2);
  if (ms < 9950) return unit(locale, ms / 1000, 'second', 1);
  const secs = Math.round(ms / 1000);
  if (secs < 60) return unit(locale, secs, 'second');
  const minutes = unit(locale, Math.floor(secs / 60), 'minute');
  return secs % 60 === 0 ? minutes : `${minutes} ${unit(locale, secs % 60, 'second')}`;
}

/** A time to come, in seconds, as coarse as it is uncertain: 0.2 → "1 second", 75 → "2 minutes"; null when unknown. */
export function formatEstimate(secs: number, locale: string): string | null {
  if (!Number.isFinite(secs) || secs < 0) return null;
  if (secs <= 59) return unit(locale, Math.max(1, Math.ceil(secs)), 'second');
  if (secs <= 59 * 60) return unit(locale, Math.ceil(secs / 60), 'minute');
  return unit(locale, Math.ceil(secs / 3600), 'hour');
}

/** Time left on a clock, in milliseconds: "29:59", from an hour up "1:05:00". Rounds up: "00:00" only when it is over. */
export function formatCountdown(ms: number): string {
  const secs = Math.max(0, Math.ceil(ms / 1000));
  const two = (n: number) => String(n).padStart(2, '0');
  const hours = Math.floor(secs / 3600);
  const rest = `${two(Math.floor((secs % 3600) / 60))}:${two(secs % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** A moment, in Unix milliseconds, as the time of day of this device: "14:05:09". */
export function formatTimeOfDay(ms: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(ms);
}
