import type { Clock, Random } from '../server/base/ports.ts';
import { nodeDigest } from '../server/base/system.ts';
import type { TellGate } from '../server/pow/core/events.ts';
import { createKeyring, type Keyring, type SealingKey } from '../server/pow/core/keyring.ts';
import type { Spent } from '../server/pow/core/spent.ts';
import { leadingZeroBits } from '../server/pow/core/work.ts';
import { readPolicy } from '../server/pow/policy-file.ts';
import { createGate } from '../server/pow/service.ts';
import { createMemorySpent } from '../server/store/memory-spent.ts';
import { unpackChallenge } from '../server/wire/envelope.ts';
import type { PolicyFile } from '../server/wire/policy.ts';

/** 2026-01-01T00:00:00Z, in seconds: where a test's clock starts. */
export const START_SECS = 1_767_225_600;

/** A clock that stands until it is moved. */
export function createTestClock(): Clock & { advanceSecs(secs: number): void } {
  let ms = START_SECS * 1000;
  return {
    nowMs: () => ms,
    advanceSecs: (secs) => {
      ms += secs * 1000;
    },
  };
}

/** Bytes that are different at each call and the same in each run. */
export function createTestRandom(): Random {
  let drawn = 0;
  return {
    bytes(length) {
      const seed = nodeDigest.sha256(new TextEncoder().encode(`random ${drawn++}`));
      return Uint8Array.from({ length }, (_, i) => seed[i % seed.length]);
    },
  };
}

export const keyOf = (kid: number): SealingKey => ({ kid, secret: new Uint8Array(32).fill(kid + 1) });
export const ringOf = (...kids: number[]): Keyring => createKeyring(kids.map(keyOf), nodeDigest);

/** Cheap puzzles, so that a test solves hundreds: `page` by passport, `call` per request, `steep` with more bits. */
export const TEST_POLICY: PolicyFile = {
  defaults: { difficulty_bits: 4 },
  routes: [
    { id: 'page', paths: ['/demo/*'] },
    { id: 'call', paths: ['/call'], passport_ttl_secs: 0 },
    { id: 'steep', paths: ['/steep'], difficulty_bits: 8 },
  ],
};

export type TestGateOptions = {
  policy?: PolicyFile;
  spent?: Spent;
  kids?: number[];
  extraBits?: () => number;
  tell?: TellGate;
};

/** A gate on a clock of its own, whose keys and policy can be exchanged as a reload does it. */
export function createTestGate({
  policy = TEST_POLICY,
  spent = createMemorySpent(),
  kids = [1],
  extraBits = () => 0,
  tell = () => {},
}: TestGateOptions = {}) {
  const clock = createTestClock();
  const state = { keyring: ringOf(...kids), policy: readPolicy(policy, nodeDigest) };
  const gate = createGate({
    policy: () => state.policy,
    keyring: () => state.keyring,
    spent,
    clock,
    random: createTestRandom(),
    digest: nodeDigest,
    extraBits,
    tell,
  });
  return {
    gate,
    clock,
    state,
    usePolicy: (file: PolicyFile) => {
      state.policy = readPolicy(file, nodeDigest);
    },
    useKids: (...newKids: number[]) => {
      state.keyring = ringOf(...newKids);
    },
  };
}

/**
 * The `skip`-th answer of a challenge, by trying one number after the other with node:crypto: an oracle that shares no
 * code with the solver or the server's check. `isRight` false gives answers that fail instead.
 */
export function solve(challengeText: string, { skip = 0, isRight = true } = {}): string {
  const { nonce, difficultyBits } = unpackChallenge(Buffer.from(challengeText, 'base64url'));
  const message = Buffer.alloc(40);
  message.set(nonce);
  for (let answer = 0n, found = 0; ; answer++) {
    message.writeBigUInt64LE(answer, 32);
    const holds = leadingZeroBits(nodeDigest.sha256(message)) >= difficultyBits;
    if (holds === isRight && found++ === skip) return String(answer);
  }
}
