import { type Address, parseAddress } from './address.ts';

/** The lists of IANA that the rows come from. */
export type Registry =
  /** https://www.iana.org/assignments/iana-ipv4-special-registry (RFC 6890, RFC 8190) */
  | 'ipv4-special'
  /** https://www.iana.org/assignments/iana-ipv6-special-registry (likewise) */
  | 'ipv6-special'
  /** https://www.iana.org/assignments/ipv4-address-space: multicast, which the special registry leaves out */
  | 'ipv4-space'
  /** https://www.iana.org/assignments/ipv6-address-space: all that is not 2000::/3, the one block of global unicast */
  | 'ipv6-space';

/** A block of addresses that are no ordinary public address. */
export type SpecialPurpose = { cidr: string; type: string; registry: Registry };

/** As the registries stood in November 2026. Where blocks lie in each other, the narrowest names the address. */
export const SPECIAL_PURPOSE: readonly SpecialPurpose[] = [
  { cidr: '0.0.0.0/8', type: 'this-network', registry: 'ipv4-special' },
  { cidr: '0.0.0.0/32', type: 'unspecified', registry: 'ipv4-special' },
  { cidr: '10.0.0.0/8', type: 'private', registry: 'ipv4-special' },
  { cidr: '100.64.0.0/10', type: 'shared', registry: 'ipv4-special' },
  { cidr: '127.0.0.0/8', type: 'loopback', registry: 'ipv4-special' },
  { cidr: '169.254.0.0/16', type: 'link-local', registry: 'ipv4-special' },
  { cidr: '172.16.0.0/12', type: 'private', registry: 'ipv4-special' },
  { cidr: '192.0.0.0/24', type: 'protocol-assignment', registry: 'ipv4-special' },
  { cidr: '192.0.0.0/29', type: 'service-continuity', registry: 'ipv4-special' },
  { cidr: '192.0.0.8/32', type: 'dummy', registry: 'ipv4-special' },
  { cidr: '192.0.0.9/32', type: 'port-control-anycast', registry: 'ipv4-special' },
  { cidr: '192.0.0.10/32', type: 'turn-anycast', registry: 'ipv4-special' },
  { cidr: '192.0.0.170/31', type: 'nat64-discovery', registry: 'ipv4-special' },
  { cidr: '192.0.2.0/24', type: 'documentation', registry: 'ipv4-special' },
  { cidr: '192.31.196.0/24', type: 'as112', registry: 'ipv4-special' },
  { cidr: '192.52.193.0/24', type: 'amt', registry: 'ipv4-special' },
  { cidr: '192.88.99.0/24', type: '6to4-relay', registry: 'ipv4-special' },
  { cidr: '192.168.0.0/16', type: 'private', registry: 'ipv4-special' },
  { cidr: '192.175.48.0/24', type: 'as112', registry: 'ipv4-special' },
  { cidr: '198.18.0.0/15', type: 'benchmarking', registry: 'ipv4-special' },
  { cidr: '198.51.100.0/24', type: 'documentation', registry: 'ipv4-special' },
  { cidr: '203.0.113.0/24', type: 'documentation', registry: 'ipv4-special' },
  { cidr: '224.0.0.0/4', type: 'multicast', registry: 'ipv4-space' },
  { cidr: '240.0.0.0/4', type: 'reserved', registry: 'ipv4-special' },
  { cidr: '255.255.255.255/32', type: 'broadcast', registry: 'ipv4-special' },
  { cidr: '::/128', type: 'unspecified', registry: 'ipv6-special' },
  { cidr: '::1/128', type: 'loopback', registry: 'ipv6-special' },
  { cidr: '64:ff9b::/96', type: 'nat64', registry: 'ipv6-special' },
  { cidr: '64:ff9b:1::/48', type: 'nat64-local', registry: 'ipv6-special' },
  { cidr: '100::/64', type: 'discard', registry: 'ipv6-special' },
  { cidr: '100:0:0:1::/64', type: 'dummy', registry: 'ipv6-special' },
  { cidr: '2001::/23', type: 'protocol-assignment', registry: 'ipv6-special' },
  { cidr: '2001::/32', type: 'teredo', registry: 'ipv6-special' },
  { cidr: '2001:1::1/128', type: 'port-control-anycast', registry: 'ipv6-special' },
  { cidr: '2001:1::2/128', type: 'turn-anycast', registry: 'ipv6-special' },
  { cidr: '2001:1::3/128', type: 'dns-sd-anycast', registry: 'ipv6-special' },
  { cidr: '2001:2::/48', type: 'benchmarking', registry: 'ipv6-special' },
  { cidr: '2001:3::/32', type: 'amt', registry: 'ipv6-special' },
  { cidr: '2001:4:112::/48', type: 'as112', registry: 'ipv6-special' },
  { cidr: '2001:10::/28', type: 'orchid', registry: 'ipv6-special' },
  { cidr: '2001:20::/28', type: 'orchid', registry: 'ipv6-special' },
  { cidr: '2001:30::/28', type: 'drone-id', registry: 'ipv6-special' },
  { cidr: '2001:db8::/32', type: 'documentation', registry: 'ipv6-special' },
  { cidr: '2002::/16', type: '6to4', registry: 'ipv6-special' },
  { cidr: '2620:4f:8000::/48', type: 'as112', registry: 'ipv6-special' },
  { cidr: '3fff::/20', type: 'documentation', registry: 'ipv6-special' },
  { cidr: '5f00::/16', type: 'segment-routing', registry: 'ipv6-special' },
  { cidr: 'fc00::/7', type: 'private', registry: 'ipv6-special' },
  { cidr: 'fe80::/10', type: 'link-local', registry: 'ipv6-special' },
  { cidr: 'fec0::/10', type: 'site-local', registry: 'ipv6-space' },
  { cidr: 'ff00::/8', type: 'multicast', registry: 'ipv6-space' },
  // What nobody was ever given: every /3 but 2000::/3. IPv4-compatible addresses (::a.b.c.d) lie in the first.
  { cidr: '::/3', type: 'unallocated', registry: 'ipv6-space' },
  { cidr: '4000::/3', type: 'unallocated', registry: 'ipv6-space' },
  { cidr: '6000::/3', type: 'unallocated', registry: 'ipv6-space' },
  { cidr: '8000::/3', type: 'unallocated', registry: 'ipv6-space' },
  { cidr: 'a000::/3', type: 'unallocated', registry: 'ipv6-space' },
  { cidr: 'c000::/3', type: 'unallocated', registry: 'ipv6-space' },
  { cidr: 'e000::/3', type: 'unallocated', registry: 'ipv6-space' },
];

type Block = { row: SpecialPurpose; bytes: Uint8Array; bits: number };

const BLOCKS: readonly Block[] = SPECIAL_PURPOSE.map((row) => {
  const [first, bits] = row.cidr.split('/');
  const { bytes } = parseAddress(first) as Address;
  return { row, bytes, bits: Number(bits) };
}).sort((a, b) => b.bits - a.bits);

// By the first byte of an address: most have no block at all, and every look-up asks.
const byFirstByte = (lengthBytes: number): readonly Block[][] =>
  Array.from({ length: 256 }, (_, byte) =>
    BLOCKS.filter(
      ({ bytes, bits }) =>
        bytes.length === lengthBytes && byte >> Math.max(0, 8 - bits) === bytes[0] >> Math.max(0, 8 - bits),
    ),
  );
const IPV4_BLOCKS = byFirstByte(4);
const IPV6_BLOCKS = byFirstByte(16);

/**
 * The narrowest block that holds this address, or null where it is an ordinary public one (or not known).
 * An IPv4-mapped IPv6 address is judged as the IPv4 address that it is, since `parseAddress` holds it as that.
 */
export function specialPurposeOf({ bytes }: Address): SpecialPurpose | null {
  const blocks = (bytes.length === 4 ? IPV4_BLOCKS : IPV6_BLOCKS)[bytes[0]];
  return blocks?.find((block) => holds(block, bytes))?.row ?? null;
}

/**
 * The IPv4 address inside an IPv6 one that leads to it: the last 32 bits behind the well-known NAT64 prefix
 * 64:ff9b::/96 (RFC 6052 §2.2), bits 16 to 47 of 6to4's 2002::/16 (RFC 3056 §2); else null.
 */
export function embeddedIpv4(address: Address): { type: 'nat64' | '6to4'; address: Address } | null {
  const type = address.bytes.length === 16 ? specialPurposeOf(address)?.type : undefined;
  if (type === 'nat64') return { type, address: { bytes: address.bytes.slice(12) } };
  if (type === '6to4') return { type, address: { bytes: address.bytes.slice(2, 6) } };
  return null;
}

function holds({ bytes: first, bits }: Block, bytes: Uint8Array): boolean {
  if (bytes.length !== first.length) return false;
  const whole = bits >> 3;
  for (let i = 0; i < whole; i++) if (bytes[i] !== first[i]) return false;
  const rest = bits & 7;
  return rest === 0 || bytes[whole] >> (8 - rest) === first[whole] >> (8 - rest);
}
