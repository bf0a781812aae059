import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { parseAddress } from '../../../server/base/address.ts';
import type { Visit } from '../../../server/pow/core/policy.ts';
import { builtInVerdict } from '../../../server/pow/core/verdict.ts';
import {
  createHttpVerdict,
  FAILURES_TO_REST,
  MOST_ANSWER_BYTES,
  MOST_IN_FLIGHT,
  REST_MS,
} from '../../../server/pow/http-verdict.ts';
import { createTestClock } from '../../test-gate.ts';
import { createTestTimer } from '../../test-timer.ts';

const VISIT: Visit = {
  method: 'GET',
  path: '/demo/',
  address: parseAddress('192.0.2.77') as Visit['address'],
  userAgent: 'Mozilla/5.0',
  keyId: null,
};
const BOT: Visit = { ...VISIT, userAgent: 'Googlebot/2.1' };

type Answering = (url: string, init: RequestInit) => Promise<Response>;

function createWorld(answering: Answering) {
  const clock = createTestClock();
  const timer = createTestTimer();
  const logged: string[] = [];
  const asked: { url: string; init: RequestInit }[] = [];
  const verdictOf = createHttpVerdict({
    url: 'http://judge.internal/v?token=hidden',
    fallback: builtInVerdict,
    fetch: ((url: string, init: RequestInit) => {
      asked.push({ url, init });
      return answering(url, init);
    }) as typeof fetch,
    clock,
    timer,
    log: {
      info: () => assert.fail('info'),
      warn: (_, message) => void logged.push(message),
      error: () => assert.fail('error'),
    },
  });
  return { verdictOf, clock, timer, logged, asked };
}

const says =
  (body: string, init?: ResponseInit): Answering =>
  async () =>
    new Response(body, init);
const never: Answering = () => new Promise(() => {});
const dead: Answering = async () => {
  throw new TypeError('fetch failed');
};

describe('the verdict component over HTTP', () => {
  for (const verdict of ['human', 'suspect', 'bot'] as const) {
    test(`is believed where it says ${verdict}, also of a declared bot`, async () => {
      const { verdictOf } = createWorld(says(JSON.stringify({ verdict, score: 1 })));
      assert.equal(await verdictOf(VISIT), verdict);
      assert.equal(await verdictOf(BOT), verdict);
    });
  }

  test('is told method, path, network and User-Agent, and nothing else', async () => {
    const { verdictOf, asked } = createWorld(says('{"verdict":"suspect"}'));
    await verdictOf(VISIT);
    assert.deepEqual(JSON.parse(String(asked[0].init.body)), {
      method: 'GET',
      path: '/demo/',
      network: '192.0.2.0/24',
      user_agent: 'Mozilla/5.0',
    });
    assert.equal(asked[0].init.redirect, 'error');
  });

  const human = '{"verdict":"human"}';
  for (const [title, answering] of [
    ['is dead', dead],
    ['throws at once', (() => assert.fail('planted')) as Answering],
    ['answers 500 with human', says(human, { status: 500 })],
    ['answers 201 with human', says(human, { status: 201 })],
    ['answers 204', async () => new Response(null, { status: 204 })],
    ['answers nothing', says('')],
    ['answers no JSON', says('human')],
    ['answers a text', says('"human"')],
    ['answers null', says('null')],
    ['answers another word', says('{"verdict":"Human"}')],
    ['answers a list', says('{"verdict":["human"]}')],
    ['answers a prototype', says('{"__proto__":{"verdict":"human"}}')],
    ['answers two in one', says(human + human)],
    ['answers too much', says(human + ' '.repeat(MOST_ANSWER_BYTES))],
  ] as const satisfies [string, Answering][]) {
    test(`that ${title} leaves the built-in verdict`, async () => {
      const { verdictOf, logged } = createWorld(answering);
      assert.equal(await verdictOf(VISIT), 'suspect');
      assert.equal(await verdictOf(BOT), 'bot');
      assert.equal(logged.length, 1);
    });
  }

  test('whatever it answers but the exact word, is never taken for human', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((json) => `{"verdict":${json}}`),
        ),
        fc.integer({ min: 200, max: 599 }).filter((status) => ![204, 205, 304].includes(status)),
        async (body, status) => {
          const verdict = await createWorld(says(body, { status })).verdictOf(VISIT);
          assert.equal(verdict, 'suspect');
        },
      ),
    );
  });

  test('that does not answer in time is given up, and told to stop', async () => {
    const { verdictOf, timer, asked } = createWorld(never);
    const verdict = verdictOf(VISIT);
    timer.fire();
    assert.equal(await verdict, 'suspect');
    assert.equal(asked[0].init.signal?.aborted, true);
  });

  test('whose body never ends is given up too', async () => {
    const { verdictOf, timer } = createWorld(async () => new Response(new ReadableStream()));
    const verdict = verdictOf(BOT);
    timer.fire();
    assert.equal(await verdict, 'bot');
  });

  test('leaves no timer behind', async () => {
    const { verdictOf, timer } = createWorld(says('{"verdict":"bot"}'));
    await verdictOf(VISIT);
    assert.equal(timer.waiting(), 0);
  });

  test('that is dead rests, then is tried by one request, and comes back', async () => {
    let answering = dead;
    const { verdictOf, clock, asked } = createWorld((url, init) => answering(url, init));
    for (let i = 0; i < FAILURES_TO_REST + 5; i++) assert.equal(await verdictOf(VISIT), 'suspect');
    assert.equal(asked.length, FAILURES_TO_REST);

    clock.advanceSecs(REST_MS / 1000);
    await Promise.all([verdictOf(VISIT), verdictOf(VISIT), verdictOf(VISIT)]);
    assert.equal(asked.length, FAILURES_TO_REST + 1);
    await verdictOf(VISIT);
    assert.equal(asked.length, FAILURES_TO_REST + 1, 'a failed trial begins another rest');

    answering = says('{"verdict":"human"}');
    clock.advanceSecs(REST_MS / 1000);
    assert.equal(await verdictOf(VISIT), 'human');
    assert.equal(await verdictOf(VISIT), 'human');
  });

  test('that is slow for all holds a bounded number of requests', async () => {
    const { verdictOf, timer, asked } = createWorld(never);
    const all = Array.from({ length: MOST_IN_FLIGHT + 20 }, () => verdictOf(VISIT));
    assert.equal(asked.length, MOST_IN_FLIGHT);
    timer.fire();
    assert.deepEqual(new Set(await Promise.all(all)), new Set(['suspect']));
  });

  test('is complained of once a minute', async () => {
    const { verdictOf, clock, logged } = createWorld(dead);
    for (let secs = 0; secs < 120; secs += 10) {
      await verdictOf(VISIT);
      clock.advanceSecs(10);
    }
    assert.equal(logged.length, 2);
  });
});

describe('the verdict component over a real socket', () => {
  async function listen(t: TestContext, listener: RequestListener): Promise<string> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }
  const quiet = { info() {}, warn() {}, error() {} };
  const create = (url: string) =>
    createHttpVerdict({
      url,
      fallback: builtInVerdict,
      fetch,
      clock: createTestClock(),
      timer: createTestTimer(),
      log: quiet,
    });

  test('answers', async (t) => {
    const url = await listen(t, (_, response) => response.end('{"verdict":"human"}'));
    assert.equal(await create(url)(VISIT), 'human');
  });

  test('is not followed elsewhere', async (t) => {
    const human = await listen(t, (_, response) => response.end('{"verdict":"human"}'));
    const url = await listen(t, (_, response) => response.writeHead(307, { Location: human }).end());
    assert.equal(await create(url)(VISIT), 'suspect');
  });

  test('that cuts its answer off leaves the built-in verdict', async (t) => {
    const url = await listen(t, (_, response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('{"verdict":"human"}', () => response.destroy());
    });
    assert.equal(await create(url)(BOT), 'bot');
  });
});
