import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Address, parseAddress } from '../../../server/base/address.ts';
import { createReach, readAllowed } from '../../../server/outbound/reach.ts';

const reach = (allow: string[] = [], own: string[] = []) => {
  const refuse = createReach(readAllowed(allow), () => own);
  return (address: string, host = 'site.example') => refuse(host, parseAddress(address) as Address);
};

test('public addresses may be reached, all others not', () => {
  const refuse = reach();
  for (const open of ['8.8.8.8', '2001:4860:4860::8888', '::ffff:8.8.8.8'])
    assert.equal(refuse(open), null, open);
  for (const closed of [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '64:ff9b::8.8.8.8',
    '64:ff9b::10.0.0.1',
    '2002:7f00:1::',
    '2002:808:808::',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ]) {
    assert.match(String(refuse(closed)), /\(.+\/\d+\)$/, closed);
  }
  assert.match(String(refuse('168.63.129.16')), /metadata/);
});

test("the server's own public addresses are not reached, as they are at that moment", () => {
  const own = ['198.41.0.4'];
  const refuse = reach([], own);
  assert.match(String(refuse('198.41.0.4')), /own/);
  assert.equal(refuse('199.9.14.201'), null);
  own.push('199.9.14.201');
  assert.match(String(refuse('199.9.14.201')), /own/);
});

test('the operator opens addresses, networks and hosts, and nothing beside them', () => {
  const refuse = reach(['10.0.0.5', '192.168.0.0/16', 'Intranet.Example', '::1'], ['198.41.0.4']);
  assert.equal(refuse('10.0.0.5'), null);
  assert.notEqual(refuse('10.0.0.6'), null);
  assert.equal(refuse('192.168.9.9'), null);
  assert.equal(refuse('::1'), null);
  assert.equal(refuse('127.0.0.1', 'intranet.example'), null);
  assert.equal(refuse('127.0.0.1', 'INTRANET.example'), null);
  assert.notEqual(refuse('127.0.0.1', 'sub.intranet.example'), null);
  assert.notEqual(refuse('127.0.0.1', 'xintranet.example'), null);
});

test('an opened NAT64 prefix opens public addresses behind it, not private ones', () => {
  const refuse = reach(['64:ff9b::/96']);
  assert.equal(refuse('64:ff9b::8.8.8.8'), null);
  assert.match(String(refuse('64:ff9b::127.0.0.1')), /loopback/);
  assert.match(String(refuse('64:ff9b::169.254.169.254')), /link-local/);
  assert.equal(reach(['64:ff9b::/96', '10.0.0.0/8'])('64:ff9b::10.0.0.1'), null);
});

test('the list is read strictly', () => {
  for (const text of [
    'http://a.example',
    'a b',
    '*.example.org',
    '[::1]',
    'a.example:80',
    '10.0.0.1/33',
    '127.1',
    '-a.example',
  ]) {
    assert.throws(() => readAllowed([text]), RangeError, text);
  }
  assert.equal(readAllowed([]).hosts.size, 0);
});
