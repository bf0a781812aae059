import type { Address } from '../base/address.ts';
import type { Clock, Timer } from '../base/ports.ts';
import { withinLimit } from '../base/time-limit.ts';
import {
  claimedBots,
  type IsVerifiedBot,
  isProvenByDns,
  type Resolver,
  type VerifiedBotName,
} from './core/verified-bots.ts';

// All our choice. A crawler can wait, and comes back to the same server from the same few addresses.
export const TIME_LIMIT_MS = 2_000;
export const PROVEN_TTL_MS = 3_600_000;
/** A stranger's claim, too, is looked up once; not for long, since an operator may just have repaired a record. */
export const UNPROVEN_TTL_MS = 300_000;
/** An answer that did not come says nothing of the address, and the next may come. */
export const FAILED_TTL_MS = 10_000;
/** Some 100 bytes each. The oldest goes first: at worst an address is looked up again. */
export const MOST_KEPT = 10_000;
/** Whoever claims to be a crawler from many addresses must not make us flood a name server. */
export const MOST_IN_FLIGHT = 32;

export type VerifyBotsDeps = {
  /** A resolver that gives up when the signal says so. */
  createResolver(signal: AbortSignal): Resolver;
  clock: Clock;
  timer: Timer;
};

/** Proof by DNS, remembered for a while. What is not proven, for whatever reason, meets the gate as anyone does. */
export function createVerifyBots({ createResolver, clock, timer }: VerifyBotsDeps): IsVerifiedBot {
  const kept = new Map<string, { isProven: Promise<boolean>; untilMs: number }>();
  let inFlight = 0;

  async function prove(
    bot: VerifiedBotName,
    address: Address,
    keep: (ttlMs: number) => void,
  ): Promise<boolean> {
    inFlight++;
    try {
      const isProven = await withinLimit(
        (signal) => isProvenByDns(bot, address, createResolver(signal)),
        TIME_LIMIT_MS,
        timer,
      );
      keep(isProven ? PROVEN_TTL_MS : UNPROVEN_TTL_MS);
      return isProven;
    } catch {
      keep(FAILED_TTL_MS);
      return false;
    } finally {
      inFlight--;
    }
  }

  function isProven(bot: VerifiedBotName, address: Address) {
    const key = `${bot} ${address.bytes.join('.')}`;
    const known = kept.get(key);
    if (known && clock.nowMs() < known.untilMs) return known.isProven;
    if (inFlight >= MOST_IN_FLIGHT) return Promise.resolve(false);
    kept.delete(key);
    // Several requests at once share one look-up; until it has ended nothing replaces it.
    const entry = { isProven: Promise.resolve(false), untilMs: Number.POSITIVE_INFINITY };
    entry.isProven = prove(bot, address, (ttlMs) => {
      entry.untilMs = clock.nowMs() + ttlMs;
    });
    kept.set(key, entry);
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value as string);
    return entry.isProven;
  }

  return async function isVerifiedBot(names, { address, userAgent }) {
    for (const bot of claimedBots(names, userAgent)) if (await isProven(bot, address)) return true;
    return false;
  };
}
