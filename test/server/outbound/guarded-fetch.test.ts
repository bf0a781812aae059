import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { OutboundError, type OutboundReason } from '../../../server/base/outbound.ts';
import { systemTimer } from '../../../server/base/system.ts';
import type { Resolve } from '../../../server/outbound/connector.ts';
import { createOutbound } from '../../../server/outbound/guarded-fetch.ts';
import { readAllowed } from '../../../server/outbound/reach.ts';
import { createTestTimer } from '../../test-timer.ts';

const closing: (() => unknown)[] = [];
after(() => Promise.all(closing.map((close) => close())));

/** A server on the loopback that counts its visitors. */
async function serve(answer: RequestListener = (_, response) => response.end('inside')) {
  const visits: string[] = [];
  const connections: string[] = [];
  const server = createServer((request, response) => {
    visits.push(`${request.method} ${request.headers.host}${request.url}`);
    answer(request, response);
  });
  server.on('connection', (socket) => connections.push(String(socket.localAddress)));
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    return server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, visits, connections };
}

const v4 = (address: string) => ({ address, family: 4 });

function guard(allow: string[] = [], resolve?: Resolve, timer = systemTimer) {
  const outbound = createOutbound({
    allow: readAllowed(allow),
    timer,
    ownAddresses: () => [],
    ...(resolve && { resolve }),
  });
  closing.push(outbound.close);
  return outbound;
}

const because = (reason: OutboundReason) => (error: unknown) =>
  assert.equal((error as OutboundError).reason, reason, String((error as Error).stack)) === undefined;

describe('what is not reached', () => {
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
    '10.0.0.1',
    '[fd00:ec2::254]',
  ]) {
    test(`an address in the URL: ${host}`, async () => {
      const { port, connections } = await serve();
      await assert.rejects(guard()(`http://${host}:${port}/`), because('refused-address'));
      assert.deepEqual(connections, []);
    });
  }

  test('the real resolver says where localhost is', async () => {
    const { port, connections } = await serve();
    await assert.rejects(guard()(`http://localhost:${port}/`), because('refused-address'));
    assert.deepEqual(connections, []);
  });

  test('a public name that answers with a private address', async () => {
    const { port, connections } = await serve();
    const outbound = guard([], async () => [v4('127.0.0.1'), { address: '::1', family: 6 }]);
    await assert.rejects(outbound(`http://public.example:${port}/`), because('refused-address'));
    assert.deepEqual(connections, []);
  });

  test('the private ones of several addresses', async () => {
    const { port, connections } = await serve();
    // 127.0.0.2 stands for a public address here.
    const outbound = guard(['127.0.0.2'], async () => [v4('127.0.0.1'), v4('127.0.0.2'), v4('10.0.0.1')]);
    assert.equal(await (await outbound(`http://public.example:${port}/`)).text(), 'inside');
    assert.deepEqual(connections, ['127.0.0.2']);
  });

  test('a name that is bound anew after its first answer (rebinding)', async () => {
    const { port, connections } = await serve((_, response) =>
      response.setHeader('Connection', 'close').end('x'),
    );
    const answers = ['127.0.0.2', '127.0.0.1'];
    const asked: string[] = [];
    const outbound = guard(['127.0.0.2'], async (host) => {
      asked.push(host);
      return [v4(answers[Math.min(asked.length, answers.length) - 1])];
    });
    await (await outbound(`http://rebind.example:${port}/`)).text();
    await assert.rejects(outbound(`http://rebind.example:${port}/`), because('refused-address'));
    // Asked once for each connection: no second question whose answer is not judged.
    assert.deepEqual(asked, ['rebind.example', 'rebind.example']);
    assert.deepEqual(connections, ['127.0.0.2']);
  });

  test('an address with a zone, or no address at all', async () => {
    for (const address of ['fe80::1%lo', 'nonsense']) {
      const outbound = guard([], async () => [{ address, family: 6 }]);
      await assert.rejects(outbound('http://public.example:8000/'), because('refused-address'));
    }
  });

  test('what a redirect leads to', async () => {
    const inside = await serve();
    const { port } = await serve((_, response) =>
      response.writeHead(302, { Location: `http://127.0.0.1:${inside.port}/secret` }).end(),
    );
    const outbound = guard(['127.0.0.2'], async () => [v4('127.0.0.2')]);
    const url = `http://public.example:${port}/`;
    await assert.rejects(outbound(url), because('redirect'));
    await assert.rejects(outbound(url, { redirect: 'follow' }), because('refused-address'));
    const told = await outbound(url, { redirect: 'manual' });
    assert.equal(told.status, 302);
    await told.body?.cancel();
    assert.deepEqual(inside.connections, []);
  });

  test('anything but http and https, and credentials in a URL', async () => {
    for (const url of [
      'file:///etc/passwd',
      'data:,x',
      'ftp://a.example/',
      'http://me:pw@a.example/',
      'nonsense',
      'blob:x',
    ]) {
      await assert.rejects(guard()(url), because('refused-url'), url);
    }
  });

  test('through a proxy of the environment', async () => {
    const { port, visits } = await serve();
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'NODE_USE_ENV_PROXY'];
    for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${port}`;
    try {
      await assert.rejects(guard()('http://10.0.0.1/'), because('refused-address'));
      const unknown = guard([], async () => []);
      await assert.rejects(unknown('http://public.example/'), because('unreachable'));
    } finally {
      for (const name of names) delete process.env[name];
    }
    assert.deepEqual(visits, []);
  });
});

describe('what is reached', () => {
  test('a host, an address or a network that the operator opened', async () => {
    const { port } = await serve();
    for (const allow of ['127.0.0.1', '127.0.0.0/8', 'inner.example']) {
      const outbound = guard([allow], async () => [v4('127.0.0.1')]);
      const answer = await outbound(`http://inner.example:${port}/page`);
      assert.equal(await answer.text(), 'inside');
      assert.equal(answer.url, `http://inner.example:${port}/page`);
    }
  });

  test('redirects, where they are wanted', async () => {
    const { port, visits } = await serve((request, response) =>
      request.url === '/end' ? response.end('end') : response.writeHead(307, { Location: '/end' }).end(),
    );
    const answer = await guard(['127.0.0.1'])(`http://127.0.0.1:${port}/`, { redirect: 'follow' });
    assert.equal(await answer.text(), 'end');
    assert.equal(answer.redirected, true);
    assert.equal(visits.length, 2);
  });

  test('method, headers and body go as they are', async () => {
    const { port } = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.end(`${request.method} ${request.headers['x-a']} ${body}`);
    });
    const init = { method: 'POST', headers: { 'X-A': 'b' }, body: 'c' };
    const answer = await guard(['127.0.0.1'])(`http://127.0.0.1:${port}/`, init);
    assert.equal(await answer.text(), 'POST b c');
  });
});

describe('limits', () => {
  test('a body that is announced or comes longer', async () => {
    const announced = await serve((_, response) => response.end('x'.repeat(101)));
    const streamed = await serve((_, response) => {
      response.write('x'.repeat(60));
      response.end('x'.repeat(60));
    });
    const outbound = guard(['127.0.0.1']);
    await assert.rejects(
      outbound(`http://127.0.0.1:${announced.port}/`, { mostBytes: 100 }),
      because('too-large'),
    );
    const answer = await outbound(`http://127.0.0.1:${streamed.port}/`, { mostBytes: 100 });
    await assert.rejects(answer.text(), because('too-large'));
    assert.equal(
      (await (await outbound(`http://127.0.0.1:${announced.port}/`, { mostBytes: 101 })).text()).length,
      101,
    );
  });

  test('a small body that unpacks to a large one', async () => {
    const { port } = await serve((_, response) =>
      response.setHeader('Content-Encoding', 'gzip').end(gzipSync(Buffer.alloc(1_000_000))),
    );
    const answer = await guard(['127.0.0.1'])(`http://127.0.0.1:${port}/`, { mostBytes: 10_000 });
    await assert.rejects(answer.text(), because('too-large'));
  });

  test('a server that says nothing', async () => {
    const timer = createTestTimer();
    const { port } = await serve(() => timer.fire());
    await assert.rejects(
      guard(['127.0.0.1'], undefined, timer)(`http://127.0.0.1:${port}/`),
      because('time-limit'),
    );
    assert.equal(timer.waiting(), 0);
  });

  test('a body that does not end', async () => {
    const timer = createTestTimer();
    const { port } = await serve((_, response) => void response.write('x'));
    const answer = await guard(['127.0.0.1'], undefined, timer)(`http://127.0.0.1:${port}/`);
    const text = assert.rejects(answer.text(), because('time-limit'));
    timer.fire();
    await text;
  });

  test('silence between two pieces of a stream, however long the stream may be', async () => {
    const timer = createTestTimer();
    let more: (text: string) => void = () => {};
    const { port } = await serve((_, response) => {
      response.write('one');
      more = (text) => void response.write(text);
    });
    const outbound = guard(['127.0.0.1'], undefined, timer);
    const answer = await outbound(`http://127.0.0.1:${port}/`, { idleLimitMs: 1_000 });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
    assert.equal(await read(), 'one');
    assert.equal(timer.waiting(), 1, 'no total limit runs, and the wait for the next piece does');
    more('two');
    assert.equal(await read(), 'two');
    const third = assert.rejects(read(), because('time-limit'));
    timer.fire();
    await third;
    assert.equal(timer.waiting(), 0);
  });

  test('a name server that says nothing', async () => {
    const timer = createTestTimer();
    const outbound = guard(
      [],
      () => {
        // Not within the call: the connection is being waited for by then.
        setImmediate(timer.fire);
        return new Promise(() => {});
      },
      timer,
    );
    await assert.rejects(outbound('http://slow.example/'), because('time-limit'));
  });

  test('no wait is left behind an answer that was read, cancelled or refused', async () => {
    const timer = createTestTimer();
    const { port } = await serve();
    const outbound = guard(['127.0.0.1'], undefined, timer);
    await (await outbound(`http://127.0.0.1:${port}/`)).text();
    await (await outbound(`http://127.0.0.1:${port}/`)).body?.cancel();
    await (await outbound(`http://127.0.0.1:${port}/`, { method: 'HEAD' })).text();
    await assert.rejects(outbound('http://10.0.0.1/'));
    assert.equal(timer.waiting(), 0);
  });
});

test("a caller's own abort goes on as it is", async () => {
  const stop = new AbortController();
  const { port } = await serve(() => stop.abort(new Error('mine')));
  await assert.rejects(guard(['127.0.0.1'])(`http://127.0.0.1:${port}/`, { signal: stop.signal }), /mine/);
});

test('nobody there, and no HTTP, are told apart from a refusal', async () => {
  const outbound = guard(['127.0.0.1'], async () => {
    throw new Error('ENOTFOUND');
  });
  await assert.rejects(outbound('http://none.example/'), because('unreachable'));
  await assert.rejects(outbound('http://127.0.0.1:1/'), because('unreachable'));
  assert.ok(new OutboundError('unreachable', 'x') instanceof Error);
});

test("a caller's abort ends a body under way, and what was aborted before asks nobody", async () => {
  const stop = new AbortController();
  const { port, visits } = await serve((_, response) => void response.write('begun'));
  const outbound = guard(['127.0.0.1']);
  const url = `http://127.0.0.1:${port}/`;
  const answer = await outbound(url, { signal: stop.signal });
  stop.abort(new Error('mine'));
  await assert.rejects(answer.text(), /mine/);
  await assert.rejects(outbound(url, { signal: stop.signal }), /mine/);
  assert.equal(visits.length, 1);
});
