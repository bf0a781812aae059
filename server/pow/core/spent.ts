/** What is kept of a challenge that was spent, until the challenge expires. Nothing is kept of a client. */
export type SpentRecord = {
  /** What it was spent on: never both. */
  use: 'passport' | 'request';
  /** The answer in decimal text. */
  answer: string;
  /** The network that spent it, as `networkText` writes it. */
  network: string;
  /** When, in Unix seconds. */
  atSecs: number;
  /** The key that sealed the passport. */
  kid: number;
  /** Who may be told of it again: a site's server that asked with an idempotency key. */
  claim?: string;
};

/** What a challenge is known by: its nonce (32 bytes) and the times under its seal. */
export type SpentChallenge = { nonce: Uint8Array; issuedAtSecs: number; expiresAtSecs: number };

/**
 * The port of single use. Every implementation passes `test/contract/spent.ts`.
 *
 * A full or broken store rejects; it never answers "not spent" for want of an entry, and never evicts.
 */
export type Spent = {
  /**
   * Spends the challenge in one atomic test-and-set.
   * Null where this call spent it, and only once the record outlives this process (where the store can); else the
   * record of the call that did.
   */
  spend(challenge: SpentChallenge, record: SpentRecord): Promise<SpentRecord | null>;
  /** Forgets what expired `PURGE_MARGIN_SECS` or longer before `nowSecs`, and says how many. Some stores do so by themselves. */
  purge(nowSecs: number): Promise<number>;
};

/**
 * How long a record outlives its challenge. Our choice: a clock that is set back by less than this cannot make a spent
 * challenge valid again after its record has gone.
 */
export const PURGE_MARGIN_SECS = 300;

// An honest double click or a retry after a lost response comes within seconds; our choice.
const REPEAT_SECS = 10;

/** Whether `again` is the same submission as `first`, soon enough to be answered with the same passport. */
export function isHonestRepeat(first: SpentRecord, again: SpentRecord): boolean {
  return (
    first.use === 'passport' &&
    again.use === 'passport' &&
    first.answer === again.answer &&
    first.network === again.network &&
    Math.abs(again.atSecs - first.atSecs) <= REPEAT_SECS
  );
}

/** What a store answers where a challenge may have been spent and nobody knows by whom: no repeat of anything. */
export function spentByUnknown(again: SpentRecord): SpentRecord {
  const { claim: _, ...unclaimed } = again;
  return { ...unclaimed, use: 'request' };
}
