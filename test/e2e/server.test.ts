import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeFolder } from '../temporary-folder.ts';
import { solve } from '../test-gate.ts';
import { type ServerProcess, startServer } from './server-process.ts';

// 12 bits: the oracle that solves here is slow.
const CHEAP = {
  defaults: { difficulty_bits: 12 },
  routes: [
    { id: 'demo', paths: ['/demo/*'] },
    { id: 'call', paths: ['/call'], passport_ttl_secs: 0 },
  ],
};

/** Wins a passport over real HTTP. */
async function winPassport(url: string) {
  const { challenge } = await (await fetch(`${url}/pow/challenge`)).json();
  const submit = { challenge, answer: solve(challenge) };
  const minted = await postJson(`${url}/pow/passport`, submit);
  assert.equal(minted.status, 200);
  const { passport } = await minted.json();
  return { submit, passport, cookie: `pow_passport=${passport}` };
}

const postJson = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

const statusOf = async (url: string, cookie: string) =>
  (await fetch(`${url}/demo/`, { headers: { cookie } })).status;

/** Sends bytes as they are and gives all that comes back until the server closes. */
async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.end(bytes, 'latin1');
  await once(socket, 'close');
  return answer;
}

describe('a server process', () => {
  const { folder, remove } = makeFolder();
  const policy = join(folder, 'policy.json');
  let server: ServerProcess;
  before(async () => {
    writeFileSync(policy, JSON.stringify(CHEAP));
    server = await startServer({ GATE_POLICY: policy });
  });
  after(async () => {
    await server.end('SIGKILL');
    remove();
  });

  test('64 submissions of one solution at once mint one passport', async () => {
    const { challenge } = await (await fetch(`${server.url}/pow/challenge`)).json();
    const body = { challenge, answer: solve(challenge) };
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => postJson(`${server.url}/pow/passport`, body)),
    );
    const passports = await Promise.all(answers.map(async (answer) => (await answer.json()).passport));
    assert.equal(new Set(passports).size, 1);
  });

  test('64 requests with one proof at once: one is admitted', async () => {
    const { challenge } = await (await fetch(`${server.url}/pow/challenge?route=call`)).json();
    const headers = { authorization: `PoW ${challenge}:${solve(challenge)}` };
    const statuses = await Promise.all(
      Array.from(
        { length: 64 },
        async () => (await fetch(`${server.url}/call`, { method: 'POST', headers })).status,
      ),
    );
    // Behind the gate of this policy is nothing: who is admitted finds that out.
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [404, ...Array(63).fill(409)],
    );
  });

  for (const [title, head, status] of [
    ['an absolute-form target', 'GET http://elsewhere.example/demo/ HTTP/1.1', 401],
    ['an absolute-form target without a path', 'GET http://elsewhere.example HTTP/1.1', 200],
    ['a backslash', 'GET /\\demo/ HTTP/1.1', 400],
    ['an escaped slash', 'GET /%2fdemo/ HTTP/1.1', 400],
    ['raw bytes beyond ASCII', 'GET /d\xe9mo/ HTTP/1.1', 400],
    ['a fragment in the target', 'GET /demo/#x HTTP/1.1', 401],
    ['an asterisk', 'OPTIONS * HTTP/1.1', 400],
    ['a query of junk', 'GET /pow/challenge?%&=&route[]=x&%ff HTTP/1.1', 200],
    ['no HTTP at all', '\x16\x03\x01\x02\x00', 400],
    ['a method that is none', 'BREW /demo/ HTTP/1.1', 400],
    ['a method that the router does not know', 'PROPFIND /demo/ HTTP/1.1', 401],
  ] as const) {
    test(`${title}: ${status}`, async () => {
      const answer = await sendRaw(server.port, `${head}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), answer.slice(0, 300));
    });
  }

  test('a body that ends early is a 400 and not a 500', async () => {
    const head =
      'POST /pow/passport HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{';
    await sendRaw(server.port, head);
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    assert.doesNotMatch(server.output(), /"status":5\d\d/);
  });

  test('a body far beyond its limit is cut off with 413', async () => {
    const body = 'x'.repeat(1_000_000);
    const answer = await fetch(`${server.url}/pow/passport`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    assert.equal(answer.status, 413);
    assert.equal(answer.headers.get('connection'), 'close');
  });

  test('a reload takes new keys and a new policy, or keeps the old ones whole', async () => {
    const { cookie } = await winPassport(server.url);
    const reload = async (text: string, said: RegExp) => {
      writeFileSync(policy, text);
      const until = server.output().length;
      server.process.kill('SIGHUP');
      while (!said.test(server.output().slice(until)))
        await once(server.process.stdout as NodeJS.ReadableStream, 'data');
    };
    await reload('{"routes": [{"id": "demo", "path": "/demo/"}]}', /reload refused/);
    assert.equal(await statusOf(server.url, cookie), 200);
    await reload(JSON.stringify({ ...CHEAP, defaults: { difficulty_bits: 13 } }), /policy reloaded/);
    assert.equal(await statusOf(server.url, cookie), 401);
  });
});

test('a policy file that changes is taken without a signal, and a bad one told and left', async () => {
  const { folder, remove } = makeFolder();
  const policy = join(folder, 'policy.json');
  writeFileSync(policy, JSON.stringify(CHEAP));
  const server = await startServer({ GATE_POLICY: policy });
  const { cookie } = await winPassport(server.url);
  const replace = async (text: string, said: RegExp) => {
    writeFileSync(join(folder, 'new'), text);
    renameSync(join(folder, 'new'), policy);
    while (!said.test(server.output())) await once(server.process.stdout as NodeJS.ReadableStream, 'data');
  };
  await replace('{"routes": [{"id": "Demo", "path": "/demo/"}]}', /policy refused/);
  assert.match(server.output(), /routes\[0\]\.id: expected.*routes\[0\]\.paths: /);
  assert.equal(await statusOf(server.url, cookie), 200);
  await replace(JSON.stringify({ ...CHEAP, defaults: { difficulty_bits: 13 } }), /"policy reloaded"/);
  assert.equal(await statusOf(server.url, cookie), 401);
  await server.end('SIGKILL');
  remove();
});

test('what was spent before a kill -9 is spent after it, and passports live on', async () => {
  const { folder, remove } = makeFolder();
  const policy = join(folder, 'policy.json');
  writeFileSync(policy, JSON.stringify(CHEAP));
  const first = await startServer({ GATE_POLICY: policy }, folder);
  const { submit, cookie } = await winPassport(first.url);
  const call = await (await fetch(`${first.url}/pow/challenge?route=call`)).json();
  const headers = { authorization: `PoW ${call.challenge}:${solve(call.challenge)}` };
  assert.equal((await fetch(`${first.url}/call`, { headers })).status, 404);
  await first.end('SIGKILL');

  const second = await startServer({ GATE_POLICY: policy }, folder);
  assert.equal(await statusOf(second.url, cookie), 200);
  assert.equal((await fetch(`${second.url}/call`, { headers })).status, 409);
  // The honest repeat is still one; a request with the same proof is not.
  assert.equal((await postJson(`${second.url}/pow/passport`, submit)).status, 200);
  const proof = { authorization: `PoW ${submit.challenge}:${submit.answer}` };
  assert.equal((await fetch(`${second.url}/demo/`, { headers: proof })).status, 409);
  await second.end('SIGKILL');
  remove();
});

test('a stop lets the request under way finish, and ends with 0', async () => {
  const server = await startServer();
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  const body = '{"challenge":"x","answer":"1"}';
  const head = `POST /pow/passport HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;
  socket.write(head);
  // Now the server has read the head: a connection without one is idle, and rightly closed.
  assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 100 /);
  socket.write(body.slice(0, 5));
  // Once the server has begun to stop it takes no new connection, while the old one is still read.
  const ended = server.end('SIGTERM');
  while (!server.output().includes('"stopping"'))
    await once(server.process.stdout as NodeJS.ReadableStream, 'data');
  socket.write(body.slice(5));
  const [answer] = await once(socket, 'data');
  assert.match(answer.toString(), /^HTTP\/1\.1 400 /);
  assert.equal(await ended, 0);
});

test('a configuration at fault is told in full, and nothing starts', async () => {
  await assert.rejects(startServer({ PORT: 'http', LOG_LEVEL: 'loud' }), (error: Error) => {
    assert.match(error.message, /ended with 1/);
    assert.match(error.message, /PORT: expected a port/);
    assert.match(error.message, /LOG_LEVEL: expected one of/);
    assert.doesNotMatch(error.message, / at .*\.ts:/);
    return true;
  });
});

test('the key that is made once is for the owner alone, and the log has no secret', async () => {
  const { folder, remove } = makeFolder();
  const server = await startServer({}, folder);
  const secret = readFileSync(join(folder, 'pow-keys'), 'utf8').trim();
  await fetch(`${server.url}/demo/?siteSecret=hidden`, {
    headers: { authorization: 'PoW a:b', 'x-api-key': 'gh_k_hidden' },
  });
  await server.end('SIGTERM');
  assert.match(secret, /^1:[A-Za-z0-9+/]{43}=$/);
  assert.doesNotMatch(server.output(), /hidden/);
  assert.ok(!server.output().includes(secret.slice(2)));
  remove();
});
