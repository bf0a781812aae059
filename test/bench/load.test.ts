import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { answerOnce, type Load, sampleLoad } from '../../bench/load.ts';
import { WrongAnswer } from '../../bench/wrong-answer.ts';

const request = Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');

async function loadOn(t: TestContext, listener: RequestListener): Promise<Load> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { name: 'planted', port, request, status: 200, isRight: (body) => body === 'right' };
}

const answer =
  (body: string, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'Content-Length': body.length }).end(body);

test('every answer is counted and checked', async (t) => {
  let asked = 0;
  const load = await loadOn(t, (incoming, response) => {
    asked++;
    answer('right')(incoming, response);
  });
  const { checked } = await sampleLoad(load, 10);
  assert.equal(checked, asked);
  assert.equal(await answerOnce(load.port, request), 'right');
});

test('of several requests each is sent in its turn', async (t) => {
  const asked: string[] = [];
  const load = await loadOn(t, (incoming, response) => {
    asked.push(incoming.url as string);
    answer('right')(incoming, response);
  });
  let sent = 0;
  const next = () => Buffer.from(`GET /${++sent} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const { checked } = await sampleLoad({ ...load, request: next }, 10);
  assert.equal(checked, sent);
  assert.equal(new Set(asked).size, sent);
});

const FAULTS: Record<string, RequestListener> = {
  'a wrong body': answer('wrong'),
  'a wrong status': answer('right', 503),
  'a connection that ends': (_, response) => response.destroy(),
  'a body longer than it says': (_, response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright and more');
  },
};

for (const [fault, listener] of Object.entries(FAULTS)) {
  test(`${fault} fails`, async (t) => {
    await assert.rejects(sampleLoad(await loadOn(t, listener), 10), WrongAnswer);
  });
}

test('one wrong answer among many fails', async (t) => {
  let asked = 0;
  const load = await loadOn(t, (incoming, response) =>
    answer(++asked === 33 ? 'wrong' : 'right')(incoming, response),
  );
  await assert.rejects(sampleLoad(load, 20), WrongAnswer);
});
