import { createHash } from 'node:crypto';
import { createChallenge, solveChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import * as first from 'altcha-lib/v1';
import { gateCoreOperations } from './gate-core.ts';
import { sampleOperation } from './operation.ts';
import type { Contender, Sample } from './rounds.ts';
import { expectRight } from './wrong-answer.ts';

const SECRET = 'a secret of the operator, long enough';
const INPUTS = 64;
const OURS = 'verify a right solution';

/** One solution from text to yes or no: ours and altcha-lib's two, each with puzzles of its own kind. */
export async function verifyContenders(sampleMs: number): Promise<Contender[]> {
  const ours = gateCoreOperations().find(({ name }) => name === OURS);
  if (!ours) throw new Error(`gate-core has no operation "${OURS}"`);
  const second = await Promise.all(Array.from({ length: INPUTS }, secondPayload));
  const older = await Promise.all(Array.from({ length: INPUTS }, firstPayload));
  return [
    { name: 'ours', baseline: null, sample: () => sampleOperation(ours, sampleMs) },
    peer('altcha-lib, SHA-256 challenge of version 2', second, sampleMs, async (payload) => {
      // The payload comes as base64 of JSON in a form field, as it does to the library's own middlewares.
      const { challenge, solution } = JSON.parse(Buffer.from(payload, 'base64').toString());
      const result = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret: SECRET });
      return result.verified;
    }),
    peer('altcha-lib, challenge of version 1', older, sampleMs, (payload) =>
      first.verifySolution(payload, SECRET),
    ),
  ];
}

function peer(
  name: string,
  payloads: readonly string[],
  sampleMs: number,
  verify: (payload: string) => Promise<boolean>,
): Contender {
  return {
    name,
    baseline: 'ours',
    async sample(): Promise<Sample> {
      let checked = 0;
      const startedMs = performance.now();
      for (;;) {
        const payload = payloads[checked % INPUTS];
        const isVerified = await verify(payload);
        expectRight(
          name,
          () => isVerified,
          () => payload,
        );
        const ms = performance.now() - startedMs;
        if (++checked % INPUTS === 0 && ms >= sampleMs) return { perSecond: (checked / ms) * 1000, checked };
      }
    },
  };
}

async function secondPayload(): Promise<string> {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const challenge = await createChallenge({
    algorithm: 'SHA-256',
    cost: 1,
    keyPrefix: '00',
    deriveKey,
    expiresAt,
    hmacSignatureSecret: SECRET,
  });
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

async function firstPayload(_: unknown, i: number): Promise<string> {
  const expires = new Date(Date.now() + 3_600_000);
  const number = createHash('sha256').update(String(i)).digest()[0];
  const challenge = await first.createChallenge({ hmacKey: SECRET, number, maxnumber: 1000, expires });
  return Buffer.from(JSON.stringify({ ...challenge, number })).toString('base64');
}
