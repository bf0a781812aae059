import type { Address } from '../base/address.ts';
import { parseAddress } from '../base/address.ts';
import { createAddressSet } from '../base/address-set.ts';
import { embeddedIpv4, specialPurposeOf } from '../base/special-purpose.ts';

/** What the operator lets outbound requests reach although it is no public address. */
export type Allowed = { hosts: ReadonlySet<string>; covers(address: Address): boolean };

/** Why this address is not to be reached under this host name, or null where it may be. */
export type Reach = (host: string, address: Address) => string | null;

// Metadata services outside the special-purpose blocks. All others are in them: 169.254.169.254 and the like are
// link-local, Alibaba's 100.100.100.200 is shared, Oracle's 192.0.0.192 a protocol assignment, fd00:ec2::254 private.
// https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
const METADATA = createAddressSet(['168.63.129.16']);

/**
 * Reads `OUTBOUND_ALLOW`: host names, addresses and CIDRs.
 * @throws RangeError that names the first text which is none of these
 */
export function readAllowed(texts: readonly string[]): Allowed {
  const isNetwork = (text: string) => text.includes('/') || parseAddress(text) !== null;
  const { covers } = createAddressSet(texts.filter(isNetwork));
  const hosts = texts.filter((text) => !isNetwork(text)).map((text) => text.toLowerCase());
  for (const host of hosts) {
    // Names of RFC 1123 §2.1, with the underscore that container networks use. The last label of a name is never a number: that is an address.
    if (
      !/^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*(?!\d+$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(
        host,
      )
    ) {
      throw new RangeError(`expected a host name, an address or a CIDR, got ${JSON.stringify(host)}`);
    }
  }
  return { hosts: new Set(hosts), covers };
}

/**
 * The rule of what may be reached: every public address but the server's own, and whatever the operator allows.
 *
 * An address that leads to an IPv4 address inside (NAT64, 6to4) must be allowed itself, and what is inside must be
 * public or allowed too.
 * @param ownAddresses those of this machine's interfaces, read anew each time
 */
export function createReach(allowed: Allowed, ownAddresses: () => readonly string[]): Reach {
  function refuseAddress(address: Address): string | null {
    if (allowed.covers(address)) return null;
    const special = specialPurposeOf(address);
    if (special) return `${special.type} (${special.cidr})`;
    if (METADATA.covers(address)) return 'a metadata service';
    const own = ownAddresses().map(parseAddress);
    return own.some((mine) => mine !== null && isSame(mine, address)) ? "this server's own" : null;
  }
  return function refuse(host, address) {
    if (allowed.hosts.has(host.toLowerCase())) return null;
    if (address.bytes.length === 0) return 'not known';
    const inside = embeddedIpv4(address);
    return refuseAddress(address) ?? (inside && refuseAddress(inside.address));
  };
}

const isSame = ({ bytes: a }: Address, { bytes: b }: Address) =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);
