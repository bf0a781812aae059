/** Figures short enough for axes and tables. */

const digits = (locale: string, value: number) =>
  new Intl.NumberFormat(locale, { maximumSignificantDigits: value < 99.5 ? 2 : 3 }).format(value);

/**
 * Seconds with two digits in the unit that fits: 0.0023 → "2.3 ms", 1.44 → "1.4 s", 200 → "3.3 min".
 * The symbols are those of the SI, the same in every language, behind a space that does not break.
 */
export function formatTime(secs: number, locale: string): string {
  const [value, symbol] =
    secs < 0.9995
      ? [secs * 1000, 'ms']
      : secs < 119.5
        ? [secs, 's']
        : secs < 5970
          ? [secs / 60, 'min']
          : [secs / 3600, 'h'];
  return `${digits(locale, value)}\u00a0${symbol}`;
}

/** Hashes per second for an axis, without the unit: 12_500_000 → "12.5M". */
export function formatCompact(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 }).format(value);
}

/** A factor with two digits: 1.98 → "2", 17.24 → "17", 1.5 → "1.5". */
export function formatFactor(factor: number, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 }).format(factor);
}

/** Whole percent of 0..100: 62 → "62%". */
export function formatPercent(percent: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(percent / 100);
}

/** As many digits as a measurement of seconds knows: 12_345_678 → 12_300_000. */
export const roundToThree = (value: number): number => Number(value.toPrecision(3));
