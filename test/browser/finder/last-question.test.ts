import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLastQuestion } from '../../../browser/finder/last-question.ts';
import type { Outcome, Question } from '../../../browser/finder/search-client.ts';

const question = (query: string): Question => ({ query, labels: [], page: 1 });
const outcome = (total: number): Outcome => ({
  answer: { total, results: [], categories: [], suggestion: null },
});

/** A server whose answers come when the test says so, and a timer whose time passes likewise. */
function openWorld() {
  const asked: { query: string; signal: AbortSignal; answer(outcome: Outcome): void; fail(): void }[] = [];
  const taken: Outcome[] = [];
  const timers = new Map<() => void, number>();
  const last = createLastQuestion(
    ({ query }, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      asked.push({ query, signal, answer: resolve, fail: () => reject(new Error('aborted')) });
      return promise;
    },
    (ms, run) => {
      timers.set(run, ms);
      return () => void timers.delete(run);
    },
    (found) => void taken.push(found),
  );
  const pass = () => {
    const due = [...timers.keys()];
    timers.clear();
    for (const run of due) run();
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { last, asked, taken, timers, pass, settled };
}

test('of what is typed in one breath only the last is asked', () => {
  const { last, asked, pass } = openWorld();
  for (const query of ['b', 'be', 'bee']) last.ask(question(query), 150);
  pass();
  assert.deepEqual(
    asked.map(({ query }) => query),
    ['bee'],
  );
});

test('a new question cancels the request under way, and an answer that comes all the same is dropped', async () => {
  const { last, asked, taken, pass, settled } = openWorld();
  last.ask(question('be'), 0);
  pass();
  last.ask(question('bees'), 0);
  assert.equal(asked[0].signal.aborted, true);
  pass();
  asked[1].answer(outcome(2));
  await settled();
  asked[0].answer(outcome(1));
  await settled();
  assert.deepEqual(taken, [outcome(2)]);
});

test('a request that was cancelled is no failure', async () => {
  const { last, asked, taken, pass, settled } = openWorld();
  last.ask(question('be'), 0);
  pass();
  last.drop();
  asked[0].fail();
  await settled();
  assert.deepEqual(taken, []);
});

test('nothing is asked after all was dropped', () => {
  const { last, asked, timers, pass } = openWorld();
  last.ask(question('be'), 150);
  last.drop();
  assert.equal(timers.size, 0);
  pass();
  assert.deepEqual(asked, []);
});

test('a server that never answers counts as one that cannot be reached', async () => {
  const { last, asked, taken, timers, pass, settled } = openWorld();
  last.ask(question('be'), 0);
  pass();
  assert.deepEqual([...timers.values()], [15_000]);
  pass();
  assert.equal(asked[0].signal.aborted, true);
  asked[0].answer(outcome(1));
  await settled();
  assert.deepEqual(taken, [{ failure: 'offline' }]);
});

test('an answer ends the wait', async () => {
  const { last, asked, timers, pass, settled } = openWorld();
  last.ask(question('be'), 0);
  pass();
  asked[0].answer(outcome(1));
  await settled();
  assert.equal(timers.size, 0);
});
