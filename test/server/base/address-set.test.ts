import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, parseAddress } from '../../../server/base/address.ts';
import { createAddressSet } from '../../../server/base/address-set.ts';

const covers = (networks: string[], address: string) =>
  createAddressSet(networks).covers(parseAddress(address) as Address);

test('a network covers its addresses, host bits ignored', () => {
  assert.equal(covers(['10.1.2.3/8'], '10.255.0.1'), true);
  assert.equal(covers(['10.1.2.3/8'], '11.0.0.1'), false);
  assert.equal(covers(['2001:db8::/32'], '2001:db8:ffff::1'), true);
  assert.equal(covers(['2001:db8::/32'], '2001:db9::1'), false);
  assert.equal(covers(['0.0.0.0/0'], '203.0.113.1'), true);
});

test('a bare address covers itself alone', () => {
  assert.equal(covers(['192.0.2.1'], '192.0.2.1'), true);
  assert.equal(covers(['192.0.2.1'], '192.0.2.2'), false);
  assert.equal(covers(['::1'], '::1'), true);
});

test('an IPv4-mapped client is covered by the IPv4 network', () => {
  assert.equal(covers(['127.0.0.0/8'], '::ffff:127.0.0.1'), true);
});

test('an empty set covers nothing', () => assert.equal(covers([], '127.0.0.1'), false));

for (const text of [
  '10.0.0.0/33',
  '::/129',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0/8',
  'example.org',
  '10.0.0.0/-1',
  '',
]) {
  test(`refused: ${JSON.stringify(text)}`, () => {
    assert.throws(() => createAddressSet(['192.0.2.1', text]), {
      name: 'RangeError',
      message: new RegExp(`got "${text}"`),
    });
  });
}
