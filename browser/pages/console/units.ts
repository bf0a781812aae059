/** Figures with their units, in the reader's own way of writing numbers. */

const locale = 'en';
const number = (digits: number) => new Intl.NumberFormat(locale, { maximumFractionDigits: digits });

export const count = (value: number): string => number(0).format(value);
export const decimal = (value: number): string => number(1).format(value);

/** "1 key", "2 keys". */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Bytes in the decimal units of the SI: 1_500_000 → "1.5 MB". */
export function bytes(value: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = value < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${number(power === 0 ? 0 : 1).format(value / 1000 ** power)} ${units[power]}`;
}

/** How long, in the two coarsest units: 93_784 → "1 d 2 h". */
export function span(secs: number): string {
  const parts = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ] as const;
  let rest = Math.max(0, Math.floor(secs));
  const texts: string[] = [];
  for (const [size, symbol] of parts) {
    const whole = Math.floor(rest / size);
    rest -= whole * size;
    if (whole > 0 || (symbol === 's' && texts.length === 0)) texts.push(`${whole} ${symbol}`);
    else if (texts.length > 0) break;
  }
  return texts.slice(0, 2).join(' ');
}

/** A share of a whole as percent, "–" where there is no whole. */
export const share = (part: number, whole: number): string =>
  whole > 0 ? `${number(1).format((100 * part) / whole)} %` : '–';

/** A moment as date and time of this device. */
export const moment = (iso: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));

/** The day alone, of UTC. */
export const day = (iso: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(iso));

/** The time of day of this device: "14:05". */
export const clock = (secs: number): string =>
  new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hour12: false }).format(secs * 1000);

export const compact = (value: number): string =>
  new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 }).format(value);
