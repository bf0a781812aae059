import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
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
    ['a target that is no URL', 'GET http://[::/demo/?siteSecret=hidden HTTP/1.1', 400],
    ['an asterisk', 'OPTIONS * HTTP/1.1', 400],
    ['an expectation that nobody knows', 'GET /healthz HTTP/1.1\r\nExpect: miracles', 200],
    ['two lengths', 'POST /pow/passport HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2', 400],
    ['a query of junk', 'GET /pow/challenge?%&=&route[]=x&%ff HTTP/1.1', 200],
    ['no HTTP at all', '\x16\x03\x01\x02\x00', 400],
    ['a method that is none', 'BREW /demo/ HTTP/1.1', 400],
    ['a method that the router does not know', 'PROPFIND /demo/ HTTP/1.1', 401],
  ] as const) {
    test(`${title}: ${status}`, async () => {
      const answer = await sendRaw(server.port, `${head}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), answer.slice(0, 300));
      assert.match(answer, /\r\nX-Request-Id: [\w-]{16}\r\n/);
      if (status >= 400) assert.match(answer, /\r\nContent-Type: application\/problem\+json\r\n/);
    });
  }

  test('a body that ends early is a 400 and not a 500', async () => {
    const head =
      'POST /pow/passport HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{';
    await sendRaw(server.port, head);
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    assert.doesNotMatch(server.output(), /"status":5\d\d/);
  });

  test('a request of HTTP/1.1 without a Host is a 400', async () => {
    const answer = await sendRaw(server.port, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
    assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*Host: expected one, got none/);
  });

  for (const version of ['1.0', '1.1']) {
    test(`a request of HTTP/${version} with two Hosts is a 400`, async () => {
      const head = `GET /healthz HTTP/${version}\r\nHost: localhost\r\nhOST: evil.example\r\nConnection: close\r\n\r\n`;
      assert.match(await sendRaw(server.port, head), /^HTTP\/1\.1 400 [\s\S]*Host: expected one, got 2/);
    });
  }

  test('what a broken request carries is not in the log', async () => {
    const head = [
      'POST /pow/passport HTTP/1.1',
      'Host: localhost',
      'Cookie: pow_passport=hidden',
      'Authorization: Bearer hidden',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ];
    await sendRaw(server.port, `${head.join('\r\n')}\r\n\r\nZZ\r\n`);
    await fetch(`${server.url}/healthz`);
    assert.doesNotMatch(server.output(), /hidden|rawPacket|"level":50/);
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
  const head = [
    'POST /pow/passport HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // The server has the head and waits for the body: from here on the request is under way.
  const [goOn] = await once(socket, 'data');
  assert.match(goOn.toString(), /^HTTP\/1\.1 100 /);
  // Once the server has begun to stop it takes no new connection, while the old one is still read.
  const ended = server.end('SIGTERM');
  while (!server.output().includes('"stopping"'))
    await once(server.process.stdout as NodeJS.ReadableStream, 'data');
  socket.write(body);
  const [answer] = await once(socket, 'data');
  assert.match(answer.toString(), /^HTTP\/1\.1 400 /);
  assert.equal(await ended, 0);
});

test('a full disk refuses to mint and nothing else, and mints again once there is room', async () => {
  const { folder, remove } = makeFolder();
  const policy = join(folder, 'policy.json');
  writeFileSync(policy, JSON.stringify(CHEAP));
  const roomy = await startServer({ GATE_POLICY: policy }, folder);
  const { cookie } = await winPassport(roomy.url);
  await roomy.end('SIGTERM');

  // No file of this process may grow beyond what the store has now: to the store the disk is full.
  const kilobytes = Math.ceil(statSync(join(folder, 'gatehouse.lmdb')).size / 1024);
  const server = await startServer({ GATE_POLICY: policy }, folder, `ulimit -f ${kilobytes}`);
  const submit = async () => {
    const { challenge } = await (await fetch(`${server.url}/pow/challenge`)).json();
    return postJson(`${server.url}/pow/passport`, { challenge, answer: solve(challenge) });
  };
  let answer = await submit();
  // How many fit beside what is there is LMDB's business.
  for (let i = 0; i < 200 && answer.status === 200; i++) answer = await submit();
  for (let i = 0; i < 5; i++, answer = await submit()) {
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get('retry-after'), '5');
    assert.equal((await answer.json()).code, 'store-unavailable');
  }
  assert.equal(await statusOf(server.url, cookie), 200);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 503);
  assert.equal(server.process.exitCode, null);
  await server.end('SIGKILL');

  const again = await startServer({ GATE_POLICY: policy }, folder);
  await winPassport(again.url);
  assert.equal((await fetch(`${again.url}/readyz`)).status, 200);
  await again.end('SIGKILL');
  remove();
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

test('a key that the command line makes counts at once in the running server, and no more once it is revoked', async () => {
  const { folder, remove } = makeFolder();
  const server = await startServer({}, folder);
  const keys = async (...args: string[]) => {
    const child = spawn(process.execPath, [entry, 'keys', ...args], { env: { DATA_DIR: folder } });
    const output = await child.stdout.toArray();
    return Buffer.concat(output).toString();
  };
  const { key, keyId } = JSON.parse(await keys('issue', '--tier', 'enterprise', '--tenant', 'example.org'));
  const ask = () => fetch(`${server.url}/pow/challenge?difficulty=7`, { headers: { 'x-api-key': key } });
  const { difficulty_bits: bits, tier } = await (await ask()).json();
  assert.deepEqual([bits, tier], [7, 'enterprise']);
  assert.match(await keys('list'), new RegExp(`"keyId":"${keyId}"`));
  await keys('revoke', keyId);
  assert.equal((await ask()).status, 401);
  await server.end('SIGKILL');
  remove();
});

test('the command line pays at the gate, and what it prints opens the page', async () => {
  const server = await startServer();
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [entry, 'solve', ...args], { env: {} });
    const [out, err] = await Promise.all([
      child.stdout.toArray(),
      child.stderr.toArray(),
      once(child, 'exit'),
    ]);
    return {
      out: String(Buffer.concat(out)).trim(),
      err: String(Buffer.concat(err)),
      status: child.exitCode,
    };
  };
  const { out, status } = await run(`${server.url}/demo/`);
  assert.equal(status, 0);
  assert.match(out, /^pow_passport=[\w-]{95}$/);
  assert.equal(await statusOf(server.url, out), 200);

  const open = await run(`${server.url}/healthz`);
  assert.deepEqual([open.status, open.out], [0, '']);
  assert.match(open.err, /nothing to solve/);
  assert.equal((await run(`${server.url}/nowhere`)).status, 1);
  assert.equal((await run('not a url')).status, 2);
  assert.equal((await run('file:///etc/passwd')).status, 2);
  assert.equal((await run('http://127.0.0.1:9/')).status, 1);
  await server.end('SIGKILL');
});

test('the command line pays for one request where the route asks each of them', async () => {
  const { folder, remove } = makeFolder();
  const policy = join(folder, 'policy.json');
  writeFileSync(
    policy,
    JSON.stringify({ routes: [{ id: 'call', paths: ['/demo/*'], passport_ttl_secs: 0 }] }),
  );
  const server = await startServer({ GATE_POLICY: policy });
  const child = spawn(process.execPath, [entry, 'solve', `${server.url}/demo/`], { env: {} });
  const authorization = String(Buffer.concat(await child.stdout.toArray())).trim();
  assert.match(authorization, /^PoW [\w-]{115}:\d+$/);
  const ask = () => fetch(`${server.url}/demo/`, { headers: { authorization } });
  assert.equal((await ask()).status, 200);
  assert.equal((await ask()).status, 409);
  await server.end('SIGKILL');
  remove();
});
