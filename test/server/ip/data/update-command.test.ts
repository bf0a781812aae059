import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { systemTimer } from '../../../../server/base/system.ts';
import { runDataCommand } from '../../../../server/ip/data/update-command.ts';
import { createOutbound } from '../../../../server/outbound/guarded-fetch.ts';
import { readAllowed } from '../../../../server/outbound/reach.ts';
import { writeMmdb } from '../../../mmdb-writer.ts';
import { withTemporaryFolder } from '../../../temporary-folder.ts';

const NOVEMBER = { nowMs: () => Date.UTC(2026, 10, 2) };
const fileOf = (databaseType: string, record: Parameters<typeof writeMmdb>[3][0]['record']) =>
  gzipSync(
    writeMmdb(databaseType, 4, Date.UTC(2026, 10, 1) / 1000, [
      { bytes: Uint8Array.of(8, 8, 8, 8), prefixBits: 32, record },
    ]),
  );
const CITY = fileOf('DBIP-City-Lite', { country: { iso_code: 'US', names: { en: 'United States' } } });
const ASN = fileOf('DBIP-ASN-Lite', { autonomous_system_number: 15169 });
const COMPLETE: Record<string, Buffer> = {
  '/dbip-city-lite-2026-11.mmdb.gz': CITY,
  '/dbip-asn-lite-2026-11.mmdb.gz': ASN,
  '/hosting.txt': Buffer.from('5.9.0.0/16\n'),
  '/vpn.txt': Buffer.from('# VPN\n192.0.2.0/24\n198.51.100.0/24\n'),
  '/tor.txt': Buffer.from('192.0.2.1\n'),
};

/** Runs the command against a mirror with these files; gives its status, its lines and what then lies in the folder. */
async function update(
  folder: string,
  files: Record<string, Buffer>,
  args: (mirror: string) => string[] = (mirror) => ['update', '--from', mirror],
) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const file = files[request.url ?? ''];
    response.statusCode = file ? 200 : 404;
    response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const outbound = createOutbound({ allow: readAllowed(['127.0.0.1']), timer: systemTimer });
  const lines: string[] = [];
  try {
    const status = await runDataCommand(args(mirror), {
      folder,
      outbound,
      clock: NOVEMBER,
      output: { log: (line) => lines.push(line), error: (line) => lines.push(`! ${line}`) },
    });
    return { status, lines: lines.map((line) => line.replaceAll(mirror, 'MIRROR')), asked };
  } finally {
    await outbound.close();
    server.closeAllConnections();
    server.close();
  }
}

describe('data update', () => {
  test('fetches each file, proves it and puts it in place', async () => {
    await withTemporaryFolder(async (folder) => {
      const { status, lines } = await update(join(folder, 'ip'), COMPLETE);
      assert.deepEqual(lines, [
        'dbip-city-lite.mmdb: DBIP-City-Lite of 2026-11-01, from MIRROR/dbip-city-lite-2026-11.mmdb.gz',
        'dbip-asn-lite.mmdb: DBIP-ASN-Lite of 2026-11-01, from MIRROR/dbip-asn-lite-2026-11.mmdb.gz',
        'hosting.txt: 1 networks, from MIRROR/hosting.txt',
        'vpn.txt: 2 networks, from MIRROR/vpn.txt',
        'tor.txt: 1 networks, from MIRROR/tor.txt',
      ]);
      assert.equal(status, 0);
      assert.deepEqual(await readdir(join(folder, 'ip')), [
        'dbip-asn-lite.mmdb',
        'dbip-city-lite.mmdb',
        'hosting.txt',
        'tor.txt',
        'vpn.txt',
      ]);
    });
  });

  test("takes last month's file while this month's is not out", async () => {
    await withTemporaryFolder(async (folder) => {
      const { '/dbip-city-lite-2026-11.mmdb.gz': city, ...rest } = COMPLETE;
      const { status, lines } = await update(folder, { ...rest, '/dbip-city-lite-2026-10.mmdb.gz': city });
      assert.match(lines[0], /2026-10/);
      assert.equal(status, 0);
    });
  });

  const broken: [string, Record<string, Buffer>, RegExp][] = [
    ['missing', { '/dbip-city-lite-2026-11.mmdb.gz': undefined as unknown as Buffer }, /answered 404/],
    ['no archive', { '/dbip-city-lite-2026-11.mmdb.gz': Buffer.from('<html>') }, /header/],
    ['cut short', { '/dbip-city-lite-2026-11.mmdb.gz': CITY.subarray(0, 60) }, /unexpected end/],
    ['another file', { '/dbip-city-lite-2026-11.mmdb.gz': gzipSync('text') }, /./],
    ['an error page', { '/tor.txt': Buffer.from('<html>busy</html>') }, /expected an address or a CIDR/],
    ['empty', { '/tor.txt': Buffer.from('# nothing today\n') }, /the list is empty/],
    ['a bomb', { '/tor.txt': Buffer.alloc(6_000_000, '1.1.1.1\n') }, /bytes/],
  ];
  for (const [name, files, why] of broken) {
    test(`a file that is ${name} leaves the old one, and the others are fetched`, async () => {
      await withTemporaryFolder(async (folder) => {
        const [path] = Object.keys(files);
        const target = path === '/tor.txt' ? 'tor.txt' : 'dbip-city-lite.mmdb';
        await writeFile(join(folder, target), 'the old one');
        const { status, lines } = await update(folder, { ...COMPLETE, ...files });
        assert.equal(status, 1);
        const told = lines.find((line) => line.startsWith(`! ${target}`)) ?? '';
        assert.match(told, why);
        assert.match(told, /the old file, if there is one, stays/);
        assert.equal(await readFile(join(folder, target), 'utf8'), 'the old one');
        const names = await readdir(folder);
        assert.equal(names.length, 5, 'the four others, and no part of the fifth');
        assert.ok(!names.some((file) => file.endsWith('.part')));
      });
    });
  }

  test('other arguments are told what was expected', async () => {
    await withTemporaryFolder(async (folder) => {
      for (const args of [
        [],
        ['fetch'],
        ['update', 'x'],
        ['update', '--from', 'nowhere'],
        ['update', '--all'],
      ]) {
        const { status, lines, asked } = await update(folder, COMPLETE, () => args);
        assert.equal(status, 2);
        assert.deepEqual(lines, ['! expected: data update [--from URL]']);
        assert.deepEqual(asked, []);
      }
    });
  });
});
