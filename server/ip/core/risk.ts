import type { Decision } from '../../wire/ip.ts';
import { BOT_LIKELIHOOD, REASONS, type ReasonCode, THRESHOLDS } from './weights.ts';

/** A reason that was found, with the words for it. */
export type Finding = { code: ReasonCode; detail: string };

export type Risk = {
  /** 0..1 */
  fraud: number;
  decision: Decision;
  reasons: { code: ReasonCode; weight: number; detail: string }[];
};

/**
 * The score of what was found: `min(1, sum of the weights)`. Each reason counts once, in whatever order it comes, so
 * that one more can never lower the score.
 */
export function scoreFindings(findings: readonly Finding[]): Risk {
  const details = new Map(findings.map(({ code, detail }) => [code, detail]));
  // The order of the table, so that the same findings give the same answer.
  const codes = (Object.keys(REASONS) as ReasonCode[]).filter((code) => details.has(code));
  const sum = codes.reduce((total, code) => total + REASONS[code].hundredths, 0);
  const hundredths = Math.min(100, sum);
  const reached = THRESHOLDS.filter(({ from }) => hundredths >= from);
  return {
    fraud: hundredths / 100,
    decision: (reached.at(-1) ?? THRESHOLDS[0]).decision,
    reasons: codes.map((code) => ({
      code,
      weight: REASONS[code].hundredths / 100,
      detail: details.get(code) ?? '',
    })),
  };
}

/** What is known of the network of an address; null where the list that would tell is not loaded. */
export type NetworkKind = {
  isHosting: boolean | null;
  isVpn: boolean | null;
  isTor: boolean | null;
  /** What of the special-purpose registries the address is, or null. */
  bogonType: string | null;
  /** The provider's name, or null. */
  provider: string | null;
};

/** What the address alone says. */
export function findInAddress({ isHosting, isVpn, isTor, bogonType, provider }: NetworkKind): Finding[] {
  const findings: Finding[] = [];
  if (isHosting) findings.push({ code: 'hosting-network', detail: provider ?? 'a listed network' });
  if (isVpn) findings.push({ code: 'vpn-network', detail: 'on the loaded list of VPN networks' });
  if (isTor) findings.push({ code: 'tor-exit', detail: 'on the loaded list of Tor exits' });
  if (bogonType) findings.push({ code: 'unroutable-address', detail: bogonType });
  return findings;
}

/** The prior for the network that an address belongs to: 0..1, null where nothing is known of it. */
export function botLikelihoodOf({ isHosting, isVpn, isTor, provider }: NetworkKind): number | null {
  const kinds = [
    isTor && BOT_LIKELIHOOD.tor,
    isHosting && BOT_LIKELIHOOD.hosting,
    isVpn && BOT_LIKELIHOOD.vpn,
    provider !== null && BOT_LIKELIHOOD.provider,
  ].filter((likelihood) => typeof likelihood === 'number');
  return kinds.length > 0 ? Math.max(...kinds) : null;
}
