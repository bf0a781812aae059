import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type RedisProcess, startRedis } from '../redis-process.ts';
import { makeFolder } from '../temporary-folder.ts';
import { solve } from '../test-gate.ts';
import { entry, type ServerProcess, startServer } from './server-process.ts';

// 12 bits: the oracle that solves here is slow.
const CHEAP = {
  defaults: { difficulty_bits: 12 },
  routes: [
    { id: 'demo', paths: ['/demo/*'] },
    { id: 'call', paths: ['/call'], passport_ttl_secs: 0 },
  ],
};
const { folder: files, remove } = makeFolder();
const policy = join(files, 'policy.json');
writeFileSync(policy, JSON.stringify(CHEAP));
after(remove);
// Each visitor comes through the proxy on this machine, from a network of their own.
const ENV = { GATE_POLICY: policy, TRUSTED_PROXIES: '127.0.0.1,::1', THROTTLE_CHALLENGE: '100000/60' };

type Answer = { status: number; headers: IncomingMessage['headers']; json: Record<string, unknown> };

/** One request over a connection of its own, from the n-th network. */
function ask(
  url: string,
  n = 0,
  { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
) {
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(url, {
      agent: false,
      method: body ? 'POST' : 'GET',
      headers: {
        'x-forwarded-for': `198.18.${n}.1`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    sent.once('error', reject);
    sent.once('response', async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      const isJson = /json/.test(answer.headers['content-type'] ?? '');
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        json: isJson ? JSON.parse(text) : {},
      });
    });
    sent.end(body && JSON.stringify(body));
  });
}

/** The text of one answer, over a connection of its own. */
const textOf = (url: string, headers: Record<string, string>) =>
  new Promise<string>((resolve, reject) => {
    request(url, { agent: false, headers })
      .once('error', reject)
      .once('response', async (answer) => resolve(Buffer.concat(await answer.toArray()).toString()))
      .end();
  });

const solved = async (url: string, query = '') => {
  const { json } = await ask(`${url}/pow/challenge${query}`);
  return { challenge: json.challenge as string, answer: solve(json.challenge as string) };
};
const redeem = (url: string, body: object, n = 0) => ask(`${url}/pow/passport`, n, { body });
const call = (url: string, { challenge, answer }: { challenge: string; answer: string }, n = 0) =>
  ask(`${url}/call`, n, { headers: { authorization: `PoW ${challenge}:${answer}` } });
const tally = (answers: Answer[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const all = <Value>(count: number, one: (i: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, i) => one(i)));

/** Asserts that of 64 at once, spread over these servers, one is let in: as a passport, and as a request. */
async function assertSingleUse(...urls: string[]) {
  const at = (i: number) => urls[i % urls.length];
  for (let round = 0; round < 3; round++) {
    const body = await solved(urls[0]);
    const minted = await all(64, (i) => redeem(at(i), body, i));
    assert.deepEqual(tally(minted), { 200: 1, 409: 63 });
    const proof = await solved(urls[0], '?route=call');
    // Behind the gate of this policy is nothing: who is admitted finds that out.
    assert.deepEqual(tally(await all(64, (i) => call(at(i), proof, i))), { 404: 1, 409: 63 });
  }
}

/** The lines of the log. */
const linesOf = (server: ServerProcess): Record<string, unknown>[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line));
const pidsOf = (server: ServerProcess, message: string) =>
  new Set(linesOf(server).flatMap(({ msg, pid }) => (msg === message ? [pid as number] : [])));

async function until<Value>(server: ServerProcess, find: () => Value | undefined | false): Promise<Value> {
  for (;;) {
    const found = find();
    if (found) return found;
    await once(server.process.stdout as NodeJS.ReadableStream, 'data');
  }
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('two workers', () => {
  let server: ServerProcess;
  const { folder, remove } = makeFolder();
  before(async () => {
    server = await startServer({ ...ENV, WORKERS: '2', THROTTLE_CHALLENGE: '20/60' }, folder);
  });
  after(async () => {
    await server.end('SIGKILL');
    remove();
  });

  test('of 64 at once, from as many networks, one is let in', async () => {
    await assertSingleUse(server.url);
    assert.equal(pidsOf(server, 'request').size, 2);
  });

  test('a throttle holds for both together', async () => {
    const answers = await all(64, () => ask(`${server.url}/pow/challenge`, 200));
    assert.deepEqual(tally(answers), { 200: 20, 429: 44 });
    for (const { status, headers } of answers)
      if (status === 429) assert.match(headers['retry-after'] ?? '', /^\d+$/);
  });

  test('the metrics of both are told by whichever is asked', async () => {
    const key = { authorization: `Bearer ${readFileSync(join(folder, 'admin-key'), 'utf8').trim()}` };
    const issued = async () => {
      const text = await textOf(`${server.url}/metrics`, key);
      return [...text.matchAll(/^gatehouse_challenges_issued_total\{.*\} (\d+)$/gm)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      );
    };
    const before = await issued();
    const known = pidsOf(server, 'request');
    assert.equal(known.size, 2, 'both have answered something');
    await all(32, (i) => ask(`${server.url}/pow/challenge`, i + 32));
    // Whichever worker takes a connection, the sum is the same.
    for (let i = 0; i < 8; i++) assert.equal(await issued(), before + 32);
  });

  test('the console shows the figures of both, whichever it asks', async () => {
    const key = { authorization: `Bearer ${readFileSync(join(folder, 'admin-key'), 'utf8').trim()}` };
    const read = async (what: string) => JSON.parse(await textOf(`${server.url}/console/api/${what}`, key));
    const before = (await read('gate')).totals.issued;
    await all(32, (i) => ask(`${server.url}/pow/challenge`, i + 64));
    for (let i = 0; i < 8; i++) {
      const { processes, totals, hour } = await read('gate');
      assert.deepEqual([processes, totals.issued], [2, before + 32]);
      assert.ok(hour.issued.reduce((sum: number, count: number) => sum + count, 0) >= 32);
    }
    const { processes } = await read('system');
    assert.deepEqual(new Set(processes.map(({ pid }: { pid: number }) => pid)), pidsOf(server, 'request'));
  });

  test('a worker that is killed is replaced, another leads, and what was spent stays spent', async () => {
    const proof = await solved(server.url, '?route=call');
    assert.equal((await call(server.url, proof)).status, 404);
    const [leader] = await until(server, () => [...pidsOf(server, 'this worker leads')]);
    process.kill(leader, 'SIGKILL');
    const [, second] = await until(server, () => {
      const leaders = [...pidsOf(server, 'this worker leads')];
      return leaders.length === 2 && leaders;
    });
    assert.notEqual(second, leader);
    // While there is one less, too.
    assert.deepEqual(tally(await all(32, (i) => call(server.url, proof, i))), { 409: 32 });
    const known = pidsOf(server, 'request');
    for (let n = 0; [...pidsOf(server, 'request')].every((pid) => known.has(pid)); n++) {
      assert.ok(n < 20_000, 'the killed worker was not replaced');
      await ask(`${server.url}/healthz`);
    }
    assert.deepEqual(tally(await all(32, (i) => call(server.url, proof, i))), { 409: 32 });
    await assertSingleUse(server.url);
    assert.match(server.output(), /"signal":"SIGKILL".*a worker ended/);
  });

  test('SIGHUP reaches both', async () => {
    writeFileSync(join(folder, 'pow-keys'), `2:${Buffer.alloc(32, 9).toString('base64')}`);
    server.process.kill('SIGHUP');
    await until(server, () => pidsOf(server, 'keys and policy reloaded').size === 2);
    for (const { json } of await all(16, (i) => ask(`${server.url}/pow/challenge`, i + 100))) {
      assert.equal(Buffer.from(json.challenge as string, 'base64url')[1], 2);
    }
  });

  test('SIGTERM ends both, and the status is 0', async () => {
    const pids = [...pidsOf(server, 'request')].filter(isAlive);
    assert.equal(pids.length, 2);
    assert.equal(await server.end('SIGTERM'), 0);
    assert.deepEqual(pids.filter(isAlive), []);
  });
});

test('four workers that start on nothing have one secret, and it is told once', async () => {
  const { folder, remove } = makeFolder();
  const server = await startServer({ ...ENV, WORKERS: '4' }, folder);
  const body = await solved(server.url);
  const { json } = await redeem(server.url, body);
  const headers = { cookie: `pow_passport=${json.passport}` };
  const answers = await all(32, () => ask(`${server.url}/demo/`, 0, { headers }));
  assert.deepEqual(tally(answers), { 200: 32 });
  assert.equal(pidsOf(server, 'request').size, 4);
  assert.equal(server.output().split('No POW_KEYS given').length, 2);
  assert.match(readFileSync(join(folder, 'pow-keys'), 'utf8'), /^1:/);
  await server.end('SIGTERM');
  remove();
});

test('workers end with a primary that is killed, and the next server goes on with their data', async () => {
  const { folder, remove } = makeFolder();
  const server = await startServer({ ...ENV, WORKERS: '2' }, folder);
  const proof = await solved(server.url, '?route=call');
  await call(server.url, proof);
  while (pidsOf(server, 'request').size < 2) await ask(`${server.url}/healthz`);
  const pids = [...pidsOf(server, 'request')];
  await server.end('SIGKILL');
  while (pids.some(isAlive)) await new Promise(setImmediate);
  const next = await startServer({ ...ENV, WORKERS: '2', PORT: String(server.port) }, folder);
  assert.deepEqual(tally(await all(16, (i) => call(next.url, proof, i))), { 409: 16 });
  await next.end('SIGKILL');
  remove();
});

test('what is at fault is told once, and nothing starts', async () => {
  writeFileSync(join(files, 'bad.json'), '{"routes": 1}');
  await assert.rejects(
    startServer({ ...ENV, WORKERS: '3', GATE_POLICY: join(files, 'bad.json') }),
    (error: Error) => {
      assert.match(error.message, /ended with 1/);
      assert.equal(error.message.split('routes: Invalid input').length, 2, error.message);
      return true;
    },
  );
});

describe('two servers on one Redis', () => {
  let redis: RedisProcess;
  let servers: ServerProcess[];
  const POW_KEYS = `1:${Buffer.alloc(32, 7).toString('base64')}`;
  before(async () => {
    redis = await startRedis();
    await redis.reset();
    const env = { ...ENV, POW_KEYS, REDIS_URL: redis.url, THROTTLE_CHALLENGE: '20/60' };
    servers = await Promise.all([startServer(env), startServer({ ...env, WORKERS: '2' })]);
  });
  after(async () => {
    for (const server of servers) await server.end('SIGKILL');
    await redis.end();
  });
  const urls = () => servers.map(({ url }) => url);
  const keys = async (...args: string[]) => {
    const child = spawn(process.execPath, [entry, 'keys', ...args], {
      env: { DATA_DIR: join(files, 'none'), REDIS_URL: redis.url },
    });
    const [out, err] = await Promise.all([
      child.stdout.toArray(),
      child.stderr.toArray(),
      once(child, 'exit'),
    ]);
    return { out: String(Buffer.concat(out)), err: String(Buffer.concat(err)), status: child.exitCode };
  };

  test('of 64 at once, from as many networks, one is let in', () => assertSingleUse(...urls()));

  test('a throttle holds for both together', async () => {
    const answers = await all(64, (i) => ask(`${urls()[i % 2]}/pow/challenge`, 200));
    assert.deepEqual(tally(answers), { 200: 20, 429: 44 });
  });

  test('a key made on the command line is known to both at once, and no more once it is revoked', async () => {
    const { out } = await keys('issue', '--tier', 'enterprise', '--tenant', 'example.org');
    const { key, keyId } = JSON.parse(out);
    const use = () =>
      all(2, (i) => ask(`${urls()[i]}/pow/challenge?difficulty=7`, 0, { headers: { 'x-api-key': key } }));
    for (const { status, json } of await use()) assert.deepEqual([status, json.difficulty_bits], [200, 7]);
    await keys('revoke', keyId);
    assert.deepEqual(tally(await use()), { 401: 2 });
  });

  test('siteverify answers the same on both for one idempotency key', async () => {
    const { key } = JSON.parse((await keys('issue', '--tier', 'pro', '--tenant', 'example.org')).out);
    const { challenge, answer } = await solved(urls()[0]);
    const body = { secret: key, response: `${challenge}:${answer}`, idempotency_key: 'a' };
    const answers = await all(2, (i) => ask(`${urls()[i]}/pow/siteverify`, 0, { body }));
    for (const { json } of answers) assert.equal(json.success, true);
    const again = { ...body, idempotency_key: 'b' };
    assert.deepEqual((await ask(`${urls()[1]}/pow/siteverify`, 0, { body: again })).json['error-codes'], [
      'timeout-or-duplicate',
    ]);
  });

  test('while Redis hangs or is away nothing is minted, in bounded time; passports go on', async () => {
    const [url] = urls();
    const { json } = await redeem(url, await solved(url));
    const headers = { cookie: `pow_passport=${json.passport}` };
    const page = async () => (await ask(`${url}/demo/`, 0, { headers })).status;
    const bodies = [await solved(url), await solved(url), await solved(url)];
    const assertRefused = ({ status, headers, json }: Answer) => {
      assert.deepEqual([status, json.code], [503, 'store-unavailable']);
      assert.match(headers['retry-after'] ?? '', /^\d+$/);
    };

    redis.signal('SIGSTOP');
    // Without a bound on it this would be waited for until the test's own limit.
    for (const answer of await all(16, (i) => redeem(url, bodies[0], i))) assertRefused(answer);
    assert.equal(await page(), 200);
    assertRefused(await ask(`${url}/readyz`));
    redis.signal('SIGCONT');
    await redis.kill();

    assertRefused(await redeem(url, bodies[1]));
    assertRefused(await ask(`${url}/readyz`));
    assert.equal(await page(), 200);
    assert.equal((await ask(`${url}/healthz`)).status, 200);
    assert.equal((await ask(`${url}/pow/challenge`, 77)).status, 200);
    const failed = await keys('issue', '--tier', 'pro', '--tenant', 'x');
    assert.notEqual(failed.status, 0);
    assert.match(failed.err, /no connection to Redis/);
    assert.doesNotMatch(failed.err, / at .*\.ts:/);

    await redis.start();
    // As soon as it is back it says that it has forgotten, and takes nothing from before.
    for (let n = 0; ; n++) {
      const answer = await redeem(url, bodies[1]);
      assertRefused(answer);
      if (/forgotten/.test(String(answer.json.detail))) break;
      assert.ok(n < 20_000, 'the connection did not come back');
    }
    await redis.command(['HSET', 'gatehouse:epoch', 'since', String(Math.floor(Date.now() / 1000) - 1)]);
    const old = await all(32, (i) => call(urls()[i % 2], bodies[2], i));
    assert.ok(
      Object.keys(tally(old)).every((status) => status === '409' || status === '503'),
      JSON.stringify(tally(old)),
    );
    assert.equal((await redeem(url, await solved(url))).status, 200);
    assert.equal((await ask(`${url}/readyz`)).status, 200);
  });
});

test('a server starts without its Redis, says so, and works once that is there', async () => {
  const redis = await startRedis();
  await redis.kill();
  const server = await startServer({ ...ENV, REDIS_URL: redis.url });
  assert.equal((await ask(`${server.url}/readyz`)).status, 503);
  assert.match(server.output(), /no connection to Redis/);
  await redis.start();
  await until(server, () => /connected to Redis/.test(server.output()));
  await redis.reset();
  assert.equal((await redeem(server.url, await solved(server.url))).status, 200);
  await server.end('SIGTERM');
  await redis.end();
});
