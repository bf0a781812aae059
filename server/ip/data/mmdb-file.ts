import { open, type Reader, type Response } from 'maxmind';
import { type Address, canonicalText } from '../../base/address.ts';
import type { DataSource } from '../../wire/ip.ts';
import { type Place, readPlace, readProvider } from '../core/place.ts';
import type { PlaceMatch, ProviderMatch } from '../core/ports.ts';
import { termsOfUse } from './licences.ts';

/** A file of one kind of record (MaxMind DB format 2.0). */
export type MmdbFile = {
  kind: 'place' | 'provider';
  /** Which addresses it can answer: an IPv4 file knows nothing of IPv6, and would answer with a wrong place. */
  takes(address: Address): boolean;
  /** How fine it is: of two that take an address the finer one is asked. */
  rank: number;
  placeOf(address: Address): PlaceMatch | null;
  providerOf(address: Address): ProviderMatch | null;
  source: DataSource;
};

// Distinct records that the library keeps decoded. Our choice: a few megabytes.
const CACHED_RECORDS = 10_000;

/**
 * Opens a file, whole in memory, and proves it by a look-up.
 * @throws Error where it is no such file, is cut short, or holds another kind of record
 */
export async function openMmdb(path: string, terms?: Partial<DataSource>): Promise<MmdbFile> {
  const reader = await open<Response>(path, { cache: { max: CACHED_RECORDS } });
  const { databaseType, ipVersion, buildEpoch } = reader.metadata;
  const isIpv4Only = ipVersion === 4 || /ipv4/i.test(databaseType);
  const isIpv6Only = ipVersion === 6 && /ipv6/i.test(databaseType);
  const kind = prove(reader, isIpv4Only, isIpv6Only);
  const find = <Read>(address: Address, read: (record: Response | null) => Read | null) => {
    const [record, prefixBits] = reader.getWithPrefixLength(canonicalText(address));
    const found = read(record);
    // A file of both families counts the bits of an IPv4 address from the IPv6 root.
    const bits = address.bytes.length === 4 && prefixBits > 32 ? prefixBits - 96 : prefixBits;
    return found && { found, prefixBits: bits };
  };
  return {
    kind,
    rank: /city|enterprise|location/i.test(databaseType) ? 2 : 1,
    takes: ({ bytes }) => (bytes.length === 4 ? !isIpv6Only : !isIpv4Only),
    placeOf(address) {
      const match = kind === 'place' ? find(address, readKeptPlace) : null;
      return match && { place: match.found, prefixBits: match.prefixBits };
    },
    providerOf(address) {
      const match = find(address, readProvider);
      return match && { ...match.found, prefixBits: match.prefixBits };
    },
    source: {
      name: databaseType,
      buildDate: Number.isNaN(buildEpoch.getTime()) ? null : buildEpoch.toISOString().slice(0, 10),
      ...termsOfUse(databaseType),
      ...terms,
    },
  };
}

// The library hands out the same object for the same record while it has it decoded, and nobody else gets to see it. So what
// was read of it stays with it: a WeakMap beside it takes an eighth of a look-up, most of it the collector's.
const PLACE = Symbol('place');

function readKeptPlace(record: (object & { [PLACE]?: Place | null }) | null): Place | null {
  // A record may be of any type of the format, also of those that take no member.
  if (typeof record !== 'object' || record === null) return null;
  let place = record[PLACE];
  if (place === undefined) {
    place = readPlace(record);
    record[PLACE] = place;
  }
  return place;
}

// Addresses of large public resolvers and of the RIRs' own sites: a file that knows none of them is broken.
const PROBES_V4 = ['8.8.8.8', '9.9.9.9', '1.1.1.1', '193.0.6.139'];
const PROBES_V6 = [
  '2001:4860:4860::8888',
  '2620:fe::fe',
  '2606:4700:4700::1111',
  '2001:67c:2e8:22::c100:68b',
];

function prove(reader: Reader<Response>, isIpv4Only: boolean, isIpv6Only: boolean): MmdbFile['kind'] {
  const probes = [...(isIpv6Only ? [] : PROBES_V4), ...(isIpv4Only ? [] : PROBES_V6)];
  const records = probes.map((probe) => reader.get(probe));
  // A record with both is a place: a provider is read from it as well where no other file tells.
  if (records.some((record) => readPlace(record) !== null)) return 'place';
  if (records.some((record) => readProvider(record) !== null)) return 'provider';
  throw new Error('the file knows neither place nor provider of well-known addresses');
}
