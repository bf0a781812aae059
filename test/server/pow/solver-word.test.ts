import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GateEvent } from '../../../server/pow/core/events.ts';
import { createTestApp } from '../../test-app.ts';
import { solve } from '../../test-gate.ts';

for (const [title, said, counted] of [
  ['a kind of solver', { solver: 'javascript' }, 'javascript'],
  ['nothing', {}, null],
  ['a kind that is none', { solver: 'quantum' }, null],
  ['something that is no text', { solver: { simd: true } }, null],
  ['a name of the language', { solver: '__proto__' }, null],
] as const) {
  test(`a page that says ${title} of its solver is let in, and counted so`, async () => {
    const events: GateEvent[] = [];
    const { request, post } = createTestApp({ tell: (event) => void events.push(event) });
    const { challenge } = (await request('/pow/challenge')).json();
    const minted = await post('/pow/passport', { challenge, answer: solve(challenge), ...said });
    assert.equal(minted.statusCode, 200, minted.body);
    const solved = events.flatMap((event) => (event.kind === 'solved' ? [event.solver] : []));
    assert.deepEqual(solved, [counted]);
  });
}
