import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Address } from '../../../../server/base/address.ts';
import { parseAddress } from '../../../../server/base/address.ts';
import { type Embedded, openIpData } from '../../../../server/ip/data/ip-data.ts';
import { openLiveIpData } from '../../../../server/ip/data/live-ip-data.ts';
import { type MmdbValue, writeMmdb } from '../../../mmdb-writer.ts';
import { withTemporaryFolder } from '../../../temporary-folder.ts';

const EPOCH = Date.UTC(2026, 10, 1) / 1000;
const at = (text: string) => parseAddress(text) as Address;

const nested = (iso: string, city: string): MmdbValue => ({
  country: { iso_code: iso, names: { en: iso } },
  city: { names: { en: city } },
  location: { latitude: 50.5, longitude: 7.5 },
});

/** A file of both families as DB-IP writes them: IPv4 stands under ::/96 (format §"IPv4 addresses in an IPv6 tree"). */
const cityFile = (city: string) =>
  writeMmdb('DBIP-City-Lite', 6, EPOCH, [
    {
      bytes: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 0),
      prefixBits: 120,
      record: nested('US', city),
    },
    { bytes: at('2001:4860::').bytes, prefixBits: 32, record: nested('US', city) },
  ]);
const asnFile = writeMmdb('DBIP-ASN-Lite (compat=GeoLite2-ASN)', 6, EPOCH, [
  {
    bytes: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 0),
    prefixBits: 120,
    record: { autonomous_system_number: 15169, autonomous_system_organization: 'Google LLC' },
  },
]);
const noEmbedded = async (): Promise<Embedded> => ({
  places: [],
  providerOf: () => ({ number: 64_496, org: 'the snapshot', prefixBits: 8 }),
  providerSources: [{ name: 'the snapshot', licence: 'none', buildDate: null, attribution: 'none' }],
});

describe('a folder of files', () => {
  test('answers from its files, with their licence and date', async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(join(folder, 'city.mmdb'), cityFile('Mountain View'));
      await writeFile(join(folder, 'asn.mmdb'), asnFile);
      await writeFile(join(folder, 'tor.txt'), '# exits\n8.8.8.9\n2001:db8::/32\n');
      await writeFile(join(folder, 'read.me'), 'not ours');
      const data = await openIpData(folder, noEmbedded);
      assert.equal(data.placeOf(at('8.8.8.8'))?.place.city, 'Mountain View');
      assert.equal(
        data.placeOf(at('8.8.8.8'))?.prefixBits,
        24,
        'bits of an IPv4 address count from its own first',
      );
      assert.equal(data.placeOf(at('2001:4860::8888'))?.prefixBits, 32);
      assert.equal(data.placeOf(at('9.9.9.9')), null);
      assert.equal(data.providerOf(at('8.8.8.8'))?.number, 15169);
      assert.equal(data.isListed('tor', at('8.8.8.9')), true);
      assert.equal(data.isListed('tor', at('8.8.8.8')), false);
      assert.equal(data.isListed('vpn', at('8.8.8.8')), null);
      const [city] = data.sources;
      assert.deepEqual(city, {
        name: 'DBIP-City-Lite',
        buildDate: '2026-11-01',
        licence: 'CC BY 4.0',
        attribution: 'IP Geolocation by DB-IP (https://db-ip.com)',
      });
    });
  });

  test('leaves to the snapshot what it has not', async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(join(folder, 'city.mmdb'), cityFile('Mountain View'));
      const data = await openIpData(folder, noEmbedded);
      assert.equal(data.providerOf(at('8.8.8.8'))?.org, 'the snapshot');
      assert.ok(data.sources.some(({ name }) => name === 'the snapshot'));
    });
  });

  test('a file of one family does not answer for the other', async () => {
    await withTemporaryFolder(async (folder) => {
      const everything = [
        { bytes: Uint8Array.of(0), prefixBits: 1, record: nested('US', 'Everywhere') },
        { bytes: Uint8Array.of(128), prefixBits: 1, record: nested('US', 'Everywhere') },
      ];
      await writeFile(join(folder, 'v4.mmdb'), writeMmdb('city ipv4', 4, EPOCH, everything));
      const data = await openIpData(folder, noEmbedded);
      assert.equal(data.placeOf(at('8.8.8.8'))?.place.city, 'Everywhere');
      assert.equal(data.placeOf(at('2001:4860::8888')), null);
    });
  });

  test('a record that is no map tells no place, and breaks nothing', async () => {
    await withTemporaryFolder(async (folder) => {
      const records: [string, MmdbValue][] = [
        ['8.8.8.8', nested('US', 'Mountain View')],
        ['7.0.0.0', 'US'],
        ['7.0.0.1', ''],
        ['7.0.0.2', 7],
        ['7.0.0.3', true],
        ['7.0.0.4', ['US']],
      ];
      const entries = records.map(([address, record]) => ({
        bytes: at(address).bytes,
        prefixBits: 32,
        record,
      }));
      await writeFile(join(folder, 'city.mmdb'), writeMmdb('city ipv4', 4, EPOCH, entries));
      const data = await openIpData(folder, noEmbedded);
      for (const [address] of records.slice(1)) assert.equal(data.placeOf(at(address)), null, address);
    });
  });

  test('a broken file is named, and nothing of the folder is used', async () => {
    const broken = {
      'cut.mmdb': cityFile('x').subarray(0, 100),
      'text.mmdb': Buffer.from('<html>404</html>'),
      'empty.mmdb': Buffer.alloc(0),
      'other.mmdb': writeMmdb('Domains', 4, EPOCH, [
        { bytes: Uint8Array.of(8, 8, 8, 8), prefixBits: 32, record: { domain: 'dns.google' } },
      ]),
      'vpn.txt': Buffer.from('10.0.0.0/8\n<html>\n'),
    };
    for (const [name, bytes] of Object.entries(broken)) {
      await withTemporaryFolder(async (folder) => {
        await writeFile(join(folder, name), bytes);
        await assert.rejects(openIpData(folder, noEmbedded), new RegExp(name.replace('.', '\\.')));
      });
    }
  });
});

describe('a folder that changes', () => {
  /** Time that a test lets pass, and the live data on it. */
  async function openLive(folder: string) {
    const waiting: (() => void)[] = [];
    const errors: string[] = [];
    const live = await openLiveIpData({
      folder,
      open: (path) => openIpData(path, noEmbedded),
      timer: {
        after(_ms, run) {
          waiting.push(run);
          return () => waiting.splice(waiting.indexOf(run), 1);
        },
      },
      log: { info() {}, warn() {}, error: (_fields, message) => void errors.push(message) },
    });
    const stop = live.watch();
    const pass = async () => {
      waiting.shift()?.();
      // The look reads the disk; it is over when it has asked to be called again.
      while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
    };
    const city = () => live.current().placeOf(at('8.8.8.8'))?.place.city;
    return { live, stop, pass, city, errors, waiting };
  }

  test('is taken up once it has settled, and answers go on from the old data until then', async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(join(folder, 'city.mmdb'), cityFile('Old'));
      const { pass, city, stop } = await openLive(folder);
      await writeFile(join(folder, '.part'), cityFile('New'));
      await rename(join(folder, '.part'), join(folder, 'city.mmdb'));
      assert.equal(city(), 'Old');
      await pass();
      assert.equal(city(), 'Old', 'seen for the first time: it may still grow');
      await pass();
      assert.equal(city(), 'New');
      stop();
    });
  });

  test('that becomes broken leaves the old data, and says so once', async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(join(folder, 'city.mmdb'), cityFile('Old'));
      const { pass, city, errors, stop } = await openLive(folder);
      await writeFile(join(folder, 'city.mmdb'), 'half a file');
      for (let i = 0; i < 5; i++) await pass();
      assert.equal(city(), 'Old');
      assert.deepEqual(errors, ['new IP data refused; the old stays']);
      await writeFile(join(folder, 'city.mmdb'), cityFile('Mended'));
      for (let i = 0; i < 2; i++) await pass();
      assert.equal(city(), 'Mended');
      stop();
    });
  });

  test('that is gone for a while is taken up again when it is back', async () => {
    await withTemporaryFolder(async (parent) => {
      const folder = join(parent, 'ip');
      await mkdir(folder);
      await writeFile(join(folder, 'city.mmdb'), cityFile('Old'));
      const { pass, city, stop } = await openLive(folder);
      await rm(folder, { recursive: true });
      for (let i = 0; i < 3; i++) await pass();
      assert.equal(city(), 'Old');
      await mkdir(folder);
      await writeFile(join(folder, 'city.mmdb'), cityFile('Back'));
      for (let i = 0; i < 3; i++) await pass();
      assert.equal(city(), 'Back');
      stop();
    });
  });

  test('is not looked at any more after a stop, and a folder that is missing at the start is told', async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(join(folder, 'city.mmdb'), cityFile('Old'));
      const { stop, waiting } = await openLive(folder);
      stop();
      assert.deepEqual(waiting, []);
      await assert.rejects(openLive(join(folder, 'nowhere')), /ENOENT/);
    });
  });
});
