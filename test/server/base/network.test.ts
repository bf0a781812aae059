import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, parseAddress } from '../../../server/base/address.ts';
import { isSameNetwork, type Network, networkOf, networkText } from '../../../server/base/network.ts';

const of = (text: string) => networkOf(parseAddress(text) as Address);

for (const [address, network] of [
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['64:ff9b::192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2::3', '2001:db8:1::/48'],
  ['::1', '0:0:0::/48'],
]) {
  test(`${address} is in ${network}`, () => assert.equal(networkText(of(address)), network));
}

test('an address beside the NAT64 prefix is not taken for IPv4', () => {
  assert.equal(networkText(of('64:ff9b:1::192.0.2.77')), '64:ff9b:1::/48');
});

test('a network is the same within its /24 or /48 and nowhere else', () => {
  assert.equal(isSameNetwork(of('192.0.2.1'), of('192.0.2.254')), true);
  assert.equal(isSameNetwork(of('192.0.2.1'), of('192.0.3.1')), false);
  assert.equal(isSameNetwork(of('2001:db8:1::1'), of('2001:db8:1:ffff::')), true);
  assert.equal(isSameNetwork(of('2001:db8:1::1'), of('2001:db8:2::1')), false);
  assert.equal(isSameNetwork(of('192.0.2.1'), of('2001:db8:1::1')), false);
  assert.equal(isSameNetwork(of('2001:db8:1::1'), of('192.0.2.1')), false);
});

test('a binding to both families admits either, an empty one admits none', () => {
  const both: Network = { v4: of('192.0.2.1').v4, v6: of('2001:db8:1::1').v6 };
  assert.equal(isSameNetwork(both, of('192.0.2.9')), true);
  assert.equal(isSameNetwork(both, of('2001:db8:1::9')), true);
  assert.equal(isSameNetwork({ v4: null, v6: null }, of('192.0.2.9')), false);
  assert.equal(isSameNetwork(both, { v4: null, v6: null }), false);
});
