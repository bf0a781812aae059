import type { Inspection } from '../../server/wire/ip.ts';

/** A line of the card: what it is called, and what it says. */
export type Fact = { name: string; value: string };

const UNKNOWN = 'unknown';

/** The facts of an answer, in the order in which they are shown. */
export function factsOf({ whois }: Inspection): Fact[] {
  const place = [whois.city, whois.subdivision, whois.country].filter((name) => name !== null);
  const facts: Fact[] = [
    { name: 'Address', value: whois.embedded ? `${whois.ip} (${whois.embedded.ip} inside)` : whois.ip },
    whois.isBogon
      ? { name: 'Kind', value: `special purpose: ${whois.bogonType}` }
      : { name: 'Place', value: place.join(', ') || UNKNOWN },
    { name: 'Network', value: whois.network ?? UNKNOWN },
  ];
  if (whois.isBogon) return facts;
  return [
    ...facts,
    {
      name: 'Provider',
      value: whois.asn ? `${whois.asn.org ?? UNKNOWN} (AS${whois.asn.number})` : UNKNOWN,
    },
    { name: 'Time zone', value: whois.timeZone ?? UNKNOWN },
  ];
}

/** Where the mark stands on the map, in hundredths of its width and height; null where the place is not on it. */
export function markOf({ whois: { latitude, longitude } }: Inspection): { left: number; top: number } | null {
  if (latitude === null || longitude === null) return null;
  // The map shows 84° north to 58° south.
  const top = ((84 - latitude) / 142) * 100;
  return top >= 0 && top <= 100 ? { left: ((longitude + 180) / 360) * 100, top } : null;
}

const DECISIONS = {
  accept: 'accept',
  verify_email: 'ask for a confirmed e-mail address',
  captcha: 'ask for a CAPTCHA',
} as const;

/** The score in a sentence. */
export function verdictOf({ echo: { fraud, decision, subject } }: Inspection): string {
  const scope = subject === 'query' ? ', from the address alone' : '';
  return `Risk ${fraud.toFixed(2)} of 1${scope}: ${DECISIONS[decision]}.`;
}

/** Every attribution once. */
export function attributionsOf({ whois }: Inspection): string {
  const dates = whois.dataSources.map(({ buildDate }) => buildDate).filter((date) => date !== null);
  const said = [...new Set(whois.dataSources.map(({ attribution }) => attribution))];
  return [said.join('; '), dates.length > 0 ? `Data of ${dates.toSorted()[0]} and later.` : '']
    .filter((part) => part !== '')
    .join('. ');
}
