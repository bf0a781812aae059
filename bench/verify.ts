import { createHash } from 'node:crypto';
import { createChallenge, solveChallenge, verifySolution } from 'altcha-lib';
import { deriveKey as derivePbkdf2 } from 'altcha-lib/algorithms/pbkdf2';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import * as first from 'altcha-lib/v1';
import { processCpuMs } from './cpu-clock.ts';
import { gateCoreOperations } from './gate-core.ts';
import type { Contender, Sample } from './rounds.ts';
import { expectRight } from './wrong-answer.ts';

const SECRET = 'a secret of the operator, long enough';
const KEY_SECRET = 'another secret of the operator, long enough';
const INPUTS = 64;
const BATCH = 256;
const OURS = 'verify a right solution';

/** One solution from text to yes or no: ours and altcha-lib's, each with puzzles of its own kind. */
export async function verifyContenders(sampleMs: number): Promise<Contender[]> {
  const ours = gateCoreOperations().find(({ name }) => name === OURS);
  if (!ours) throw new Error(`gate-core has no operation "${OURS}"`);
  const second = await Promise.all(Array.from({ length: INPUTS }, secondPayload));
  const byReadme = await Promise.all(Array.from({ length: INPUTS }, readmePayload));
  const older = await Promise.all(Array.from({ length: INPUTS }, firstPayload));
  return [
    contender('ours', null, sampleMs, ours.operate, ours.isRight),
    peer('altcha-lib, version 2 with SHA-256', second, sampleMs, (payload) =>
      verifySecond(payload, { deriveKey, hmacSignatureSecret: SECRET }),
    ),
    peer('altcha-lib, version 2 as in its README (PBKDF2, signed key)', byReadme, sampleMs, (payload) =>
      verifySecond(payload, {
        deriveKey: derivePbkdf2,
        hmacSignatureSecret: SECRET,
        hmacKeySignatureSecret: KEY_SECRET,
      }),
    ),
    peer('altcha-lib, version 1', older, sampleMs, (payload) => first.verifySolution(payload, SECRET)),
  ];
}

const peer = (
  name: string,
  payloads: readonly string[],
  sampleMs: number,
  verify: (payload: string) => Promise<boolean>,
) =>
  contender(
    name,
    'ours',
    sampleMs,
    (i) => verify(payloads[i % INPUTS]),
    (isVerified) => isVerified === true,
  );

/** Answers are kept and checked between the batches, while the clock stands. */
function contender(
  name: string,
  baseline: string | null,
  sampleMs: number,
  verify: (i: number) => unknown,
  isRight: (answer: unknown, i: number) => boolean,
): Contender {
  return {
    name,
    baseline,
    async sample(): Promise<Sample> {
      const answers = new Array<unknown>(BATCH);
      let spentMs = 0;
      let checked = 0;
      while (spentMs < sampleMs) {
        const startedMs = processCpuMs();
        for (let i = 0; i < BATCH; i++) {
          const answer = verify(checked + i);
          answers[i] = answer instanceof Promise ? await answer : answer;
        }
        spentMs += processCpuMs() - startedMs;
        for (let i = 0; i < BATCH; i++, checked++) {
          expectRight(
            name,
            () => isRight(answers[i], checked),
            () => String(answers[i]),
          );
        }
      }
      return { perSecond: (checked / spentMs) * 1000, checked };
    },
  };
}

type SecondOptions = Omit<Parameters<typeof verifySolution>[0], 'challenge' | 'solution'>;

/** The payload comes as base64 of JSON in a form field, as it does to the library's own middlewares. */
async function verifySecond(payload: string, options: SecondOptions): Promise<boolean> {
  const { challenge, solution } = JSON.parse(Buffer.from(payload, 'base64').toString());
  return (await verifySolution({ challenge, solution, ...options })).verified;
}

/** The numbers of the README would take minutes to solve 64 times; the key's signature is verified all the same. */
async function readmePayload(): Promise<string> {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 5_000,
    counter: 1,
    deriveKey: derivePbkdf2,
    hmacSignatureSecret: SECRET,
    hmacKeySignatureSecret: KEY_SECRET,
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  const solution = await solveChallenge({ challenge, deriveKey: derivePbkdf2 });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
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
