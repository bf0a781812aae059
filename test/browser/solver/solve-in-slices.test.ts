import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createJavascriptKernel } from '../../../browser/solver/javascript-kernel.ts';
import type { SolveProgress } from '../../../browser/solver/protocol.ts';
import { createSliceSolver } from '../../../browser/solver/solve-in-slices.ts';
import { challengeText } from './challenge-text.ts';

const challenge = (bits: number, first = 7) =>
  challengeText({ bits, nonce: Uint8Array.of(first, ...new Uint8Array(31)) });

/** A solver whose clock moves 60 ms at each look, so that steps stay small. */
function slices() {
  let nowMs = 0;
  let pauses = 0;
  const solve = createSliceSolver({
    kernel: createJavascriptKernel(),
    now: () => {
      nowMs += 60;
      return nowMs;
    },
    async yieldThread() {
      pauses++;
      await new Promise(setImmediate);
    },
  });
  return { solve, pauses: () => pauses };
}

test('finds the first answer, counts the tries, and pauses after each step', async () => {
  const { solve, pauses } = slices();
  const progress: SolveProgress[] = [];
  const text = challenge(14);
  const solution = await solve(text, { onProgress: (told) => progress.push(told) });
  assert.equal(solution.answer, createJavascriptKernel().solve_once_b64(text));
  assert.equal(solution.tries, Number(solution.answer) + 1);
  assert.ok(pauses() > 0);
  assert.ok(progress.length > 0 && progress.every(({ probability }) => probability > 0 && probability < 1));
});

test('two solves at once do not mix their challenges', async () => {
  const { solve } = slices();
  const texts = [challenge(14, 1), challenge(14, 2)];
  const solutions = await Promise.all(texts.map((text) => solve(text)));
  assert.deepEqual(
    solutions.map(({ answer }) => answer),
    texts.map((text) => createJavascriptKernel().solve_once_b64(text)),
  );
});

test('stops between two steps when it is told', async () => {
  const { solve } = slices();
  const stop = new AbortController();
  const solving = solve(challenge(60), { signal: stop.signal });
  await new Promise(setImmediate);
  stop.abort(new Error('enough'));
  await assert.rejects(solving, /enough/);
});

test('refuses what is no challenge', () => assert.rejects(slices().solve('x'), { name: 'ChallengeRefused' }));
