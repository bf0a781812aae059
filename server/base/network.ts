import type { Address } from './address.ts';

/**
 * The network that a visitor comes from: an IPv4 /24 (3 bytes), an IPv6 /48 (6 bytes), or both where both are known.
 * A passport is bound to this and not to the address, since phones and carrier NAT change the address all the time.
 */
export type Network = { v4: Uint8Array | null; v6: Uint8Array | null };

// The well-known NAT64 prefix 64:ff9b::/96 (RFC 6052 §2.1): the last four bytes are the IPv4 address of the visitor.
const NAT64 = Uint8Array.of(0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0);

/** The network of one address; behind NAT64 it is that of the IPv4 address inside. */
export function networkOf({ bytes }: Address): Network {
  if (bytes.length === 0) return { v4: null, v6: null };
  if (bytes.length === 4) return { v4: bytes.slice(0, 3), v6: null };
  if (NAT64.every((byte, i) => bytes[i] === byte)) return { v4: bytes.slice(12, 15), v6: null };
  return { v4: null, v6: bytes.slice(0, 6) };
}

/** `192.0.2.0/24`, `2001:db8:1::/48`, both joined by a comma, or `unknown`. */
export function networkText({ v4, v6 }: Network): string {
  const parts: string[] = [];
  if (v4) {
    // Ten times as fast as join, and asked for by the log and by every throttle.
    const text = `${v4[0]}.${v4[1]}.${v4[2]}.0/24`;
    if (!v6) return text;
    parts.push(text);
  }
  if (v6) {
    const group = (i: number) => ((v6[i] << 8) | v6[i + 1]).toString(16);
    parts.push(`${group(0)}:${group(2)}:${group(4)}::/48`);
  }
  return parts.join(',') || 'unknown';
}

/** Whether a visitor now in `current` is in a network that `bound` holds. */
export function isSameNetwork(bound: Network, current: Network): boolean {
  if (current.v4) return sameBytes(bound.v4, current.v4);
  return current.v6 !== null && sameBytes(bound.v6, current.v6);
}

function sameBytes(a: Uint8Array | null, b: Uint8Array): boolean {
  return a !== null && a.length === b.length && a.every((byte, i) => byte === b[i]);
}
