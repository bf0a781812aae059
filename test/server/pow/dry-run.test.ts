import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PolicyFile } from '../../../server/wire/policy.ts';
import { createTestApp, type TestAppOptions } from '../../test-app.ts';
import { solve } from '../../test-gate.ts';

const policyOf = (passportTtlSecs: number, isDryRun: boolean): PolicyFile => ({
  dry_run: isDryRun,
  defaults: { difficulty_bits: 4 },
  routes: [{ id: 'page', paths: ['/demo/*'], passport_ttl_secs: passportTtlSecs }],
});
const PASSPORT = policyOf(1_800, true);
const PER_REQUEST = policyOf(0, true);

function createRehearsal(options: TestAppOptions = { policy: PASSPORT }) {
  const app = createTestApp(options);
  const refusals = () => app.lines.filter(({ message }) => message === 'would_refuse');
  const ask = (headers: Record<string, string> = {}) =>
    app.request({ url: '/demo/', headers: { accept: 'application/json', ...headers } });
  return { ...app, ask, refusals };
}

describe('a route in dry-run', () => {
  for (const [title, headers, code] of [
    ['nothing', {}, 'proof-required'],
    ['a junk passport', { cookie: 'pow_passport=junk' }, 'passport-invalid'],
    ['junk for a proof', { authorization: 'PoW junk' }, 'malformed-request'],
    ['a forged proof', { authorization: `PoW ${'A'.repeat(115)}:1` }, 'seal-invalid'],
  ] as const) {
    test(`lets in who shows ${title}, and logs one line`, async () => {
      const { ask, refusals } = createRehearsal();
      assert.equal((await ask(headers)).statusCode, 200);
      const [{ request_id: requestId, ...told }, ...more] = refusals();
      assert.deepEqual(more, []);
      assert.equal(typeof requestId, 'string');
      assert.deepEqual(told, {
        level: 'info',
        message: 'would_refuse',
        code,
        route: 'page',
        bits: 4,
        mode: 'passport',
        verdict: 'suspect',
      });
    });
  }

  test('answers as if there were no gate, header for header', async () => {
    const plain = createRehearsal({ policy: { routes: [] } });
    const dry = createRehearsal();
    const headersOf = async ({ ask }: typeof dry) => {
      const { 'x-request-id': id, date, ...headers } = (await ask()).headers;
      assert.ok(id && date !== '');
      return headers;
    };
    assert.deepEqual(await headersOf(dry), await headersOf(plain));
  });

  test('says what a bot would have had to pay', async () => {
    const { ask, refusals } = createRehearsal({ policy: PER_REQUEST });
    await ask({ 'user-agent': 'Googlebot/2.1' });
    const [{ bits, mode, verdict }] = refusals();
    assert.deepEqual({ bits, mode, verdict }, { bits: 8, mode: 'request', verdict: 'bot' });
  });

  test('spends no proof, and the proof is good once the rehearsal is over', async () => {
    const { ask, request, refusals, usePolicy } = createRehearsal({ policy: PER_REQUEST });
    const { challenge } = (await request('/pow/challenge?route=page')).json();
    const authorization = `PoW ${challenge}:${solve(challenge)}`;
    for (let i = 0; i < 3; i++) assert.equal((await ask({ authorization })).statusCode, 200);
    assert.deepEqual(refusals(), []);

    usePolicy(policyOf(0, false));
    assert.equal((await ask({ authorization })).statusCode, 200);
    assert.equal((await ask({ authorization })).statusCode, 409);
  });

  test('says nothing of who would have been let in', async () => {
    const { ask, request, post, refusals } = createRehearsal();
    const { challenge } = (await request('/pow/challenge?route=page')).json();
    const minted = await post('/pow/passport', { challenge, answer: solve(challenge) });
    const cookie = String(minted.headers['set-cookie']).split(';')[0];
    await ask({ cookie });
    assert.deepEqual(refusals(), []);
    const judged = createRehearsal({ policy: PASSPORT, verdictOf: () => 'human' });
    await judged.ask();
    assert.deepEqual(judged.refusals(), []);
  });

  test('goes on where the store is down', async () => {
    const spent = {
      spend: async () => {
        throw new Error('planted');
      },
    };
    const { ask, request } = createRehearsal({ policy: PER_REQUEST, spent: spent as never });
    const { challenge } = (await request('/pow/challenge?route=page')).json();
    assert.equal((await ask({ authorization: `PoW ${challenge}:${solve(challenge)}` })).statusCode, 200);
  });

  test('puts no passport, challenge or answer in the log', async () => {
    const { ask, request, lines } = createRehearsal({ policy: PER_REQUEST });
    const { challenge } = (await request('/pow/challenge')).json();
    await ask({ authorization: `PoW ${challenge}:0`, cookie: 'pow_passport=hidden-passport' });
    assert.doesNotMatch(JSON.stringify(lines), new RegExp(`hidden|${challenge.slice(20, 60)}`));
  });

  test('does not open the route beside it', async () => {
    const { request } = createTestApp({
      policy: {
        routes: [
          { id: 'dry', paths: ['/demo/dry'], dry_run: true },
          { id: 'page', paths: ['/demo/*'] },
        ],
      },
    });
    assert.equal((await request('/demo/')).statusCode, 401);
    assert.equal((await request('/demo/dry')).statusCode, 404);
  });
});
