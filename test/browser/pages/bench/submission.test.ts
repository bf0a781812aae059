import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fetchSummary, submitDevice } from '../../../../browser/pages/bench/submission.ts';
import type { Pool } from '../../../../browser/solver/pool.ts';
import type { SessionError } from '../../../../browser/solver/session-error.ts';
import { fakeTimers } from '../../solver/fake-timers.ts';

const solution = { answer: '42', tries: 1, elapsedMs: 1, workers: 1, kernel: 'simd' as const };

function world(answer: () => Response, solve: Pool['solve'] = async () => solution) {
  const timers = fakeTimers();
  const sent: { path: string; init: RequestInit }[] = [];
  let challenges = 0;
  const deps = {
    gate: {
      fetchChallenge: async () => ({
        challenge: `challenge${++challenges}`,
        difficulty_bits: 4,
        expires_in_secs: 60,
        tier: 'public',
      }),
    },
    solve,
    async fetch(path: string, init: RequestInit) {
      sent.push({ path, init });
      return answer();
    },
    now: timers.now,
    after: timers.after,
  };
  return { deps, sent, timers, challenges: () => challenges };
}

const never = new AbortController().signal;

test('sends exactly the text that it was given, with a proof', async () => {
  const { deps, sent } = world(() => Response.json({ kept_until: '2027-11-21' }, { status: 201 }));
  assert.equal(await submitDevice(deps, '{ "shown": true }', never), '2027-11-21');
  assert.equal(sent.length, 1);
  assert.equal(sent[0]?.path, '/bench/results');
  assert.equal(sent[0]?.init.body, '{ "shown": true }');
  assert.deepEqual(sent[0]?.init.headers, { 'Content-Type': 'application/json', PoW: 'challenge1:42' });
});

test('a challenge that runs out is replaced before anything is sent', async () => {
  let solves = 0;
  const { deps, timers, challenges } = world(
    () => Response.json({ kept_until: 'x' }, { status: 201 }),
    (_, options) =>
      solves++ > 0
        ? Promise.resolve(solution)
        : new Promise((__, reject) =>
            options?.signal?.addEventListener('abort', () => reject(new Error('late'))),
          ),
  );
  const sending = submitDevice(deps, '{}', never);
  await timers.advance(60_000);
  await sending;
  assert.equal(challenges(), 2);
});

test('a refusal carries the code of the server, and a proxy in between has one of ours', async () => {
  const codeOf = async (answer: () => Response) => {
    const error = await submitDevice(world(answer).deps, '{}', never).catch((reason) => reason);
    return (error as SessionError).code;
  };
  assert.equal(await codeOf(() => Response.json({ code: 'throttled' }, { status: 429 })), 'throttled');
  assert.equal(await codeOf(() => new Response('<html>', { status: 502 })), 'unreachable');
  assert.equal(await codeOf(() => new Response('<html>', { status: 200 })), 'unreachable');
  assert.equal(
    await codeOf(() => {
      throw new TypeError('offline');
    }),
    'unreachable',
  );
});

test('a look sends nothing of this device', async () => {
  const { deps, sent, challenges } = world(() => Response.json({ devices: 0 }));
  await fetchSummary(deps, never);
  assert.equal(challenges(), 0);
  assert.deepEqual(
    sent.map(({ path, init: { method, body, headers } }) => [path, method, body, headers]),
    [['/bench/results', 'GET', undefined, undefined]],
  );
});
