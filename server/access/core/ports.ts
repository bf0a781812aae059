import type { KeyTier } from '../../wire/access.ts';

/** What is kept of a key: never its secret. */
export type KeyRecord = {
  keyId: string;
  /** SHA-256 of the secret's text, hexadecimal. The secret has 256 random bits, so a slow hash would add nothing. */
  secretHash: string;
  tier: KeyTier;
  tenant: string;
  /** Ids of the gated routes that the key is for. */
  routes: string[];
  /** Whether the operator named the routes; else the key takes them up one by one, as many as its tier allows. */
  hasFixedRoutes: boolean;
  /** Unix seconds. */
  issuedAtSecs: number;
  revokedAtSecs: number | null;
};

/** Where keys are kept. A write is seen by every process on the store. Every implementation passes `test/contract/keys.ts`. */
export type KeyStore = {
  get(keyId: string): Promise<KeyRecord | null>;
  list(): Promise<KeyRecord[]>;
  put(record: KeyRecord): Promise<void>;
  /** Changes a record in one atomic step; gives what is kept then, null where there is none of this id. */
  update(keyId: string, change: (record: KeyRecord) => KeyRecord): Promise<KeyRecord | null>;
};

/** Counters that outlive the process. Every implementation passes `test/contract/counters.ts`. */
export type Counters = {
  /**
   * Adds one to the counter unless it stands at `most` already, in one atomic step.
   * Gives what it stands at, and whether one was added.
   */
  add(name: string, most: number | null): Promise<{ count: number; isAdded: boolean }>;
  read(name: string): Promise<number>;
};

/** So many calls in so many seconds. */
export type Rate = { calls: number; secs: number };

/** How many calls came from one caller within a span that began with its first, and how long the span goes on. */
export type CallCount = { calls: number; msLeft: number };

/**
 * Where a throttle counts its calls, for all processes that serve one site. `name` keeps one throttle's counts apart from
 * another's. Every implementation passes `test/contract/call-counts.ts`.
 */
export type OpenCallCounts = (name: string, rate: Rate) => CountCall;

/** Counts one call, or with −1 takes one back that need not have been counted. */
export type CountCall = (caller: string, by?: 1 | -1) => Promise<CallCount>;
