import { BlockList } from 'node:net';
import { type Address, parseAddress } from './address.ts';

/** A set of networks. */
export type AddressSet = { covers(address: Address): boolean };

/**
 * The set of `networks`, each an address or a CIDR (RFC 4632 §3.1, RFC 4291 §2.3); host bits are ignored.
 * @throws RangeError that names the first text which is neither
 */
export function createAddressSet(networks: readonly string[]): AddressSet {
  const list = new BlockList();
  for (const text of networks) {
    const [address, prefix, ...rest] = text.split('/');
    const parsed = parseAddress(address);
    const widestBits = address.includes(':') ? 128 : 32;
    const bits = prefix === undefined ? widestBits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (!parsed || rest.length > 0 || !(bits <= widestBits)) {
      throw new RangeError(
        `expected an address or a CIDR such as 10.0.0.0/8 or 2001:db8::/32, got ${JSON.stringify(text)}`,
      );
    }
    list.addSubnet(address, bits, address.includes(':') ? 'ipv6' : 'ipv4');
  }
  if (networks.length === 0) return { covers: () => false };
  return {
    covers: (address) =>
      address.bytes.length > 0 &&
      list.check(addressText(address), address.bytes.length === 4 ? 'ipv4' : 'ipv6'),
  };
}

/** Text that every reader of addresses takes; of IPv6 not the shortest (RFC 5952). */
export function addressText({ bytes }: Address): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups: string[] = [];
  for (let i = 0; i < 16; i += 2) groups.push(((bytes[i] << 8) | bytes[i + 1]).toString(16));
  return groups.join(':');
}
