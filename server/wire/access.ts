/** What a caller may do and how much of it. `free` counts as public for proof of work. */
export const KEY_TIERS = ['free', 'pro', 'enterprise'] as const;
export type KeyTier = (typeof KEY_TIERS)[number];

/** Who calls with an API key; without one there is no caller but a network. */
export type Caller = {
  keyId: string;
  tier: KeyTier;
  tenant: string;
};
