/**
 * What each tier may ask of a challenge (specification, table of tiers). Position in the table is the tier byte.
 * `public` (no key, or a Free key) asks for nothing: the policy of the route decides.
 */
export const TIERS = [
  { name: 'public', difficultyBits: null, challengeTtlSecs: null, passportTtlSecs: null },
  { name: 'pro', difficultyBits: [1, 32], challengeTtlSecs: [1, 600], passportTtlSecs: [1, 3_600] },
  { name: 'enterprise', difficultyBits: [1, 32], challengeTtlSecs: [1, 3_600], passportTtlSecs: [1, 86_400] },
] as const satisfies readonly Tier[];

export type TierName = (typeof TIERS)[number]['name'];

type Bounds = readonly [least: number, most: number];
type Tier = {
  name: string;
  difficultyBits: Bounds | null;
  challengeTtlSecs: Bounds | null;
  passportTtlSecs: Bounds | null;
};

/** What a caller asks for and what a policy gives; missing means "as the policy says". */
export type Terms = { difficultyBits: number; challengeTtlSecs: number; passportTtlSecs: number };

/** The tier byte of a tier's name. */
export const tierByte = (name: TierName): number => TIERS.findIndex((tier) => tier.name === name);

/**
 * The terms of a challenge: what was asked, clamped to the tier, over what the policy gives.
 * A route in per-request mode (lifetime 0) stays so whatever was asked: its passport would admit nowhere.
 */
export function termsOf(tierName: TierName, policy: Terms, asked: Partial<Terms>): Terms {
  const tier: Tier = TIERS[tierByte(tierName)];
  const term = (name: keyof Terms) => {
    const bounds = tier[name];
    const value = asked[name];
    if (!bounds || value === undefined) return policy[name];
    return Math.min(Math.max(value, bounds[0]), bounds[1]);
  };
  return {
    difficultyBits: term('difficultyBits'),
    challengeTtlSecs: term('challengeTtlSecs'),
    passportTtlSecs: policy.passportTtlSecs === 0 ? 0 : term('passportTtlSecs'),
  };
}
