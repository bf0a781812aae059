import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gateCoreOperations } from '../../bench/gate-core.ts';
import { sampleOperation } from '../../bench/operation.ts';
import { runRounds } from '../../bench/rounds.ts';
import { WrongAnswer } from '../../bench/wrong-answer.ts';

const SAMPLE_MS = 1;
const operations = gateCoreOperations();

test('every operation of the gate gives right answers', async () => {
  const rows = await runRounds(
    operations.map((operation) => ({ ...operation, sample: () => sampleOperation(operation, SAMPLE_MS) })),
    1,
  );
  for (const { name, baseline, perSecond, checked } of rows) {
    assert.ok(checked > 0, name);
    assert.equal(perSecond.length, 1, name);
    assert.ok(baseline === null || rows.some((row) => row.name === baseline), `${name} names its baseline`);
  }
});

// Each check is shown failing: a right answer that is given for another operation, once among many right ones.
for (const [i, operation] of operations.entries()) {
  test(`a planted wrong answer fails: ${operation.name}`, () => {
    const other = operations[(i + 3) % operations.length];
    const planted = { ...operation, operate: (n: number) => (n === 3 ? other : operation).operate(n) };
    assert.throws(() => sampleOperation(planted, SAMPLE_MS), {
      name: WrongAnswer.name,
      message: new RegExp(`^"${operation.name}" gave a wrong answer: operation 3 `),
    });
  });
}

test('an answer to another input fails', () => {
  for (const operation of operations.filter(({ name }) => /^(HMAC|verify|mint)/.test(name))) {
    const planted = { ...operation, operate: (n: number) => operation.operate(n + 1) };
    assert.throws(() => sampleOperation(planted, SAMPLE_MS), WrongAnswer, operation.name);
  }
});
