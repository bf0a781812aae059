import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { createAddressSet } from '../../../server/base/address-set.ts';
import { networkOf, networkText } from '../../../server/base/network.ts';
import { clientAddress } from '../../../server/http/client-address.ts';

const trusted = createAddressSet(['10.0.0.0/8', '2001:db8:ffff::/48']);

function clientOf(
  remoteAddress: string | undefined,
  forwarded?: string,
  more: Record<string, string> = {},
): string {
  const headers = { ...more, ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) };
  const { bytes } = clientAddress(
    { socket: { remoteAddress }, headers } as unknown as IncomingMessage,
    trusted,
  );
  return bytes.length === 4 ? bytes.join('.') : networkText(networkOf({ bytes }));
}

for (const [title, peer, forwarded, client] of [
  ['no proxy', '203.0.113.9', undefined, '203.0.113.9'],
  ['a stranger who claims to be a proxy', '203.0.113.9', '192.0.2.1', '203.0.113.9'],
  ['one proxy', '10.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['a spoofed left-most hop', '10.0.0.1', '1.1.1.1, 192.0.2.1', '192.0.2.1'],
  ['two proxies', '10.0.0.1', '1.1.1.1, 192.0.2.1, 10.9.9.9', '192.0.2.1'],
  ['only proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['a hop that is no address', '10.0.0.1', '192.0.2.1, junk, 10.0.0.2', '10.0.0.2'],
  ['a header of junk', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ['a port', '10.0.0.1', '192.0.2.1:4711', '192.0.2.1'],
  ['IPv6 in brackets with a port', '10.0.0.1', '[2001:db8:1::7]:4711', '2001:db8:1::/48'],
  ['bare IPv6', '10.0.0.1', '2001:db8:1::7', '2001:db8:1::/48'],
  ['a mapped peer and a mapped hop', '::ffff:10.0.0.1', '::ffff:192.0.2.1', '192.0.2.1'],
  ['an IPv6 proxy', '2001:db8:ffff::1', '192.0.2.1', '192.0.2.1'],
  ['a closed socket', undefined, '192.0.2.1', 'unknown'],
  ['a link-local peer', 'fe80::7%eth0', undefined, 'fe80:0:0::/48'],
  ['a hop with a zone id', '10.0.0.1', 'fe80::1%eth0', '10.0.0.1'],
] as const) {
  test(`${title}: ${client}`, () => assert.equal(clientOf(peer, forwarded), client));
}

test('no more than 32 hops are walked', () => {
  const hops = (count: number) => ['192.0.2.1', ...Array.from({ length: count }, () => '10.0.0.2')].join(',');
  assert.equal(clientOf('10.0.0.1', hops(31)), '192.0.2.1');
  assert.equal(clientOf('10.0.0.1', hops(32)), '10.0.0.2');
});

test('no other header is believed', () => {
  const more = { 'x-real-ip': '192.0.2.1', forwarded: 'for=192.0.2.1', 'cf-connecting-ip': '192.0.2.1' };
  assert.equal(clientOf('10.0.0.1', undefined, more), '10.0.0.1');
});
