import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, parseAddress } from '../../../server/base/address.ts';
import { addressText, createAddressSet } from '../../../server/base/address-set.ts';
import { embeddedIpv4, SPECIAL_PURPOSE, specialPurposeOf } from '../../../server/base/special-purpose.ts';
import { readVectors } from '../../vectors/read.ts';

const vectors = readVectors<{ address: string; type: string | null }>('special-purpose.json');
const at = (text: string) => parseAddress(text) as Address;

for (const { address, type } of vectors) {
  test(`${address} is ${type ?? 'public'}`, () => {
    assert.equal(specialPurposeOf(at(address))?.type ?? null, type);
  });
}

test('every block holds its first address by an independent reading, and is named once', () => {
  for (const { cidr } of SPECIAL_PURPOSE) {
    assert.ok(createAddressSet([cidr]).covers(at(cidr.split('/')[0])), cidr);
  }
  assert.equal(new Set(SPECIAL_PURPOSE.map(({ cidr }) => cidr)).size, SPECIAL_PURPOSE.length);
});

test('no host bits are set in a block', () => {
  for (const { cidr } of SPECIAL_PURPOSE) {
    const [first, bits] = cidr.split('/');
    const { bytes } = at(first);
    const tail = [...bytes]
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('')
      .slice(Number(bits));
    assert.doesNotMatch(tail, /1/, cidr);
  }
});

test('what is not known is not called special', () => {
  assert.equal(specialPurposeOf({ bytes: new Uint8Array() }), null);
});

test('the IPv4 address inside is found for NAT64 and 6to4 alone', () => {
  const inside = (text: string) => {
    const found = embeddedIpv4(at(text));
    return found && `${found.type} ${addressText(found.address)}`;
  };
  assert.equal(inside('64:ff9b::8.8.8.8'), 'nat64 8.8.8.8');
  assert.equal(inside('2002:0808:0808::1'), '6to4 8.8.8.8');
  for (const none of ['2001:4860:4860::8888', '64:ff9b:1::8.8.8.8', '8.8.8.8', '::8.8.8.8']) {
    assert.equal(inside(none), null, none);
  }
});
