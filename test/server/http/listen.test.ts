import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { systemRandom } from '../../../server/base/system.ts';
import { listen } from '../../../server/http/listen.ts';

const listenAt = (host: string, port: number) => listen(() => {}, { host, port, random: systemRandom });

test('a port that another process has is told with its number and what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await assert.rejects(
    listenAt('127.0.0.1', port),
    new RegExp(`^Error: PORT ${port}: another process listens there on 127\\.0\\.0\\.1: end it, or set PORT`),
  );
  other.close();
});

test('an address that this machine has not is told with the variable', async () => {
  // TEST-NET-3 (RFC 5737): nobody has it.
  await assert.rejects(
    listenAt('203.0.113.9', 0),
    /^Error: HOST 203\.0\.113\.9: expected an address of this/,
  );
});
