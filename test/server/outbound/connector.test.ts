import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { OutboundError } from '../../../server/base/outbound.ts';
import { createConnector } from '../../../server/outbound/connector.ts';

test('the peer of a connection that stands is judged once more, and nothing is sent to one that may not be', async (t: TestContext) => {
  let requests = 0;
  const server = createServer(() => requests++).listen(0, '127.0.0.1');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let judged = 0;
  const reach = () => (judged++ === 0 ? null : 'another one by now');
  const connect = createConnector(reach, async () => [{ address: '127.0.0.1', family: 4 }], 1_000);
  const { promise, resolve } = Promise.withResolvers<[Error | null, unknown]>();
  const target = { hostname: 'public.example', protocol: 'http:', port: String(port) };
  connect(target, (...result) => resolve(result));
  const [error, socket] = await promise;
  assert.equal((error as OutboundError).reason, 'refused-address');
  assert.equal(socket, null);
  assert.equal(judged, 2);
  assert.equal(requests, 0);
});
