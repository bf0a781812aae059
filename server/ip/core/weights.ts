import type { Decision } from '../../wire/ip.ts';

/**
 * Every reason that can raise the score: its weight in hundredths, where it is read from, and why it counts. Our
 * choice, a heuristic: the docs print this table and say so. Country is not in it.
 */
export const REASONS = {
  'hosting-network': {
    hundredths: 20,
    from: 'address',
    why: 'the address belongs to a network that rents servers; people behind a company proxy or a VPN come from there too',
  },
  'vpn-network': {
    hundredths: 15,
    from: 'address',
    why: 'the address is on the list of VPN exits; many people use one for good reasons',
  },
  'tor-exit': {
    hundredths: 45,
    from: 'address',
    why: 'the address is a Tor exit: its users share it, honest or not',
  },
  'unroutable-address': {
    hundredths: 10,
    from: 'address',
    why: 'the address cannot come from the Internet: a test, or a proxy in front that is not in TRUSTED_PROXIES',
  },
  'declared-bot': {
    hundredths: 50,
    from: 'headers',
    why: 'the User-Agent names a crawler, a library or an automated browser',
  },
  'no-user-agent': {
    hundredths: 50,
    from: 'headers',
    why: 'every browser sends a User-Agent',
  },
  'no-accept-language': {
    hundredths: 15,
    from: 'headers',
    why: 'every browser of a person sends Accept-Language',
  },
  'no-accept-encoding': {
    hundredths: 10,
    from: 'headers',
    why: 'every browser takes a compressed answer',
  },
  'hints-contradict': {
    hundredths: 25,
    from: 'headers',
    why: 'the client hints (Sec-CH-UA-*) name another browser or system than the User-Agent',
  },
  'email-malformed': {
    hundredths: 30,
    from: 'email',
    why: 'what was given is no e-mail address, so nothing could be verified',
  },
  'email-disposable': {
    hundredths: 35,
    from: 'email',
    why: 'the domain hands out addresses that last for minutes',
  },
} as const satisfies Record<
  string,
  { hundredths: number; from: 'address' | 'headers' | 'email'; why: string }
>;

export type ReasonCode = keyof typeof REASONS;

/** From which score on a decision holds, in hundredths; the last that is reached counts. */
export const THRESHOLDS: readonly { from: number; decision: Decision }[] = [
  { from: 0, decision: 'accept' },
  { from: 30, decision: 'verify_email' },
  { from: 60, decision: 'captcha' },
];

/** How likely a visitor from a kind of network is a program, 0..1: a prior of ours, not a measurement. */
export const BOT_LIKELIHOOD = { tor: 0.7, hosting: 0.7, vpn: 0.4, provider: 0.1 } as const;

/** The table of docs/ip.md: reason, weight, source, why. */
export function reasonTable(): string {
  const rows = Object.entries(REASONS).map(
    ([code, { hundredths, from, why }]) =>
      `| \`${code}\` | ${(hundredths / 100).toFixed(2)} | ${from} | ${why} |`,
  );
  return ['| reason | weight | read from | why it counts |', '|---|---|---|---|', ...rows].join('\n');
}
