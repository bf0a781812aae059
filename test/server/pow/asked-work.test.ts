import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Context } from '../../../server/http/request-state.ts';
import { createAskedWork } from '../../../server/pow/asked-work.ts';
import type { Route } from '../../../server/pow/core/policy.ts';
import type { Shown } from '../../../server/pow/service.ts';
import type { PolicyFile } from '../../../server/wire/policy.ts';
import { createTestApp } from '../../test-app.ts';
import { solve } from '../../test-gate.ts';

// What an unpaid caller can make the server hold, where the price depends on the body.

const KIB = 1_024;
const MIB = 1_024 * KIB;
const BODY = { model: 'echo', max_tokens: 1 };
const ASKED = { model: 'echo', outputTokens: 1 };
const nothing: Shown = { passports: [], proof: null, network: { v4: null, v6: null } };
const from = (network: number): Shown => ({
  ...nothing,
  network: { v4: new Uint8Array([203, 0, network]), v6: null },
});
const withProof = (proof: string): Shown => ({ ...nothing, proof });

/** Bodies that stay on their way until `finish`. */
function openWorld() {
  const reading: (() => void)[] = [];
  const ask = createAskedWork({
    gate: { hasWorked: (_, { proof }) => proof?.startsWith('good') ?? false },
    async readBody() {
      await new Promise<void>((resolve) => reading.push(resolve));
      return BODY;
    },
    bodyLimitBytes: 10 * MIB,
  });
  const send = (length: number | undefined, shown = nothing, method = 'POST') =>
    ask({ method, request: { length } } as Context, {} as Route, shown);
  return { send, reading, finish: () => reading.splice(0).forEach((end) => void end()) };
}

for (const [what, length, shown, isRead] of [
  ['small', 64 * KIB, nothing, true],
  ['a long text', MIB, nothing, true],
  ['longer than any text', MIB + 1, nothing, false],
  ['of a length that is not told', undefined, nothing, false],
  ['longer, with a proof that is none', MIB + 1, withProof('bad'), false],
  ['longer, with work', 10 * MIB, withProof('good'), true],
  ['of a length that is not told, with work', undefined, withProof('good'), true],
  // The reader itself refuses it before it has read anything.
  ['announced beyond the limit', 10 * MIB + 1, nothing, true],
] as const) {
  test(`a body that is ${what} is ${isRead ? '' : 'not '}read`, async () => {
    const { send, reading, finish } = openWorld();
    const asked = send(length, shown);
    assert.equal(reading.length, isRead ? 1 : 0);
    finish();
    assert.deepEqual(await asked, isRead ? ASKED : null);
  });
}

test('all unpaid bodies together have a bound, which is given back when they have come', async () => {
  const { send, reading, finish } = openWorld();
  const coming = Array.from({ length: 40 }, (_, i) => send(MIB, from(i % 10)));
  assert.equal(reading.length, 32);
  // Neither who pays nor who asks little is kept out by them.
  assert.deepEqual([await send(65 * KIB, from(20)), reading.length], [null, 32]);
  coming.push(send(64 * KIB), send(10 * MIB, withProof('good')));
  assert.equal(reading.length, 34);
  finish();
  const asked = await Promise.all(coming);
  assert.equal(asked.filter((one) => one === null).length, 8);
  void send(MIB);
  assert.equal(reading.length, 1);
});

test('one network cannot take the room of the others by bodies that it announces and never sends', async () => {
  const { send, reading, finish } = openWorld();
  const coming = Array.from({ length: 40 }, () => send(MIB, from(1)));
  assert.equal(reading.length, 4);
  assert.equal(await coming[4], null);
  void send(MIB, from(2));
  assert.equal(reading.length, 5);
  finish();
  await Promise.all(coming);
  void send(MIB, from(1));
  assert.equal(reading.length, 1);
});

test('one proof has one large body read at a time', async () => {
  const { send, reading, finish } = openWorld();
  const first = send(10 * MIB, withProof('good'));
  assert.equal(await send(10 * MIB, withProof('good')), null);
  void send(10 * MIB, withProof('good, another'));
  assert.equal(reading.length, 2);
  finish();
  assert.deepEqual(await first, ASKED);
  void send(10 * MIB, withProof('good'));
  assert.equal(reading.length, 1);
});

test('a request without a body is asked nothing', async () => {
  const { send, reading } = openWorld();
  assert.deepEqual([await send(undefined, nothing, 'GET'), reading.length], [null, 0]);
});

describe('at the gate', () => {
  const POLICY: PolicyFile = {
    defaults: { difficulty_bits: 2 },
    routes: [
      { id: 'chat', paths: ['/chat'], passport_ttl_secs: 0, work: { models: { echo: 0, big: 4, '*': 2 } } },
    ],
  };
  const large = (model: string) => ({
    model,
    messages: [{ role: 'user', content: 'x'.repeat(2 * MIB) }],
  });

  test('a large body is asked the highest price unread, and its proof admits it', async () => {
    const { post } = createTestApp({ policy: POLICY });
    const refused = await post('/chat', large('echo'));
    assert.equal(refused.statusCode, 401);
    const { challenge, difficulty_bits } = refused.json().challenge;
    assert.equal(difficulty_bits, 6);
    const pow = `${challenge}:${solve(challenge)}`;
    assert.equal((await post('/chat', large('echo'), { pow })).statusCode, 200);
  });

  test('a proof of the bare price has a large body read, and pays for it where it is cheap', async () => {
    const { post, request } = createTestApp({ policy: POLICY });
    const prove = async (route = 'chat') => {
      const { challenge } = (await request(`/pow/challenge?route=${route}`)).json();
      return { pow: `${challenge}:${solve(challenge)}` };
    };
    assert.equal((await post('/chat', large('echo'), await prove())).statusCode, 200);
    assert.equal((await post('/chat', large('big'), await prove())).json().code, 'insufficient-work');
  });

  test('a proof that is forged, or of no work, has nothing read', async () => {
    const { post, request } = createTestApp({ policy: POLICY });
    const { challenge } = (await request('/pow/challenge?route=chat')).json();
    // Whoever reads this one finds out that it is no JSON.
    const torn = `{"model": "${'x'.repeat(2 * MIB)}`;
    for (const pow of [`x${challenge.slice(1)}:0`, 'nonsense']) {
      assert.doesNotMatch((await post('/chat', torn, { pow })).json().detail, /expected JSON/);
    }
    const good = { pow: `${challenge}:${solve(challenge)}` };
    // As many texts as one likes would each have a body of their own read, all for the work of one.
    for (const more of [':', ':1', ' ', '\u00a0', ',0']) {
      const padded = await post('/chat', torn, { pow: `${good.pow}${more}x` });
      assert.doesNotMatch(padded.json().detail, /expected JSON/, more);
    }
    assert.match((await post('/chat', torn, good)).json().detail, /expected JSON/);
  });
});
