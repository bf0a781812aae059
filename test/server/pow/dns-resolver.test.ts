import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, parseAddress } from '../../../server/base/address.ts';
import { createDnsResolver, reverseName } from '../../../server/pow/dns-resolver.ts';

const addressOf = (text: string) => parseAddress(text) as Address;

test('the reverse name is that of the standards', () => {
  // RFC 1035 §3.5 and RFC 3596 §2.5, their examples.
  assert.equal(reverseName(addressOf('10.2.0.52')), '52.0.2.10.in-addr.arpa');
  assert.equal(
    reverseName(addressOf('4321:0:1:2:3:4:567:89ab')),
    'b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.0.0.0.0.1.2.3.4.ip6.arpa',
  );
});

test('what is told to stop before it is asked, is not asked', async () => {
  const resolver = createDnsResolver(AbortSignal.abort(new Error('planted')));
  await assert.rejects(resolver.namesOf(addressOf('192.0.2.1')), /planted/);
  await assert.rejects(resolver.addressesOf('a.example', 6), /planted/);
});

test('what is told to stop under way ends, with or without a network', async () => {
  const stop = new AbortController();
  const asked = createDnsResolver(stop.signal).namesOf(addressOf('192.0.2.1'));
  stop.abort();
  await assert.rejects(asked);
});
