import { Resolver as NodeResolver } from 'node:dns/promises';
import { type Address, parseAddress } from '../base/address.ts';
import type { Resolver } from './core/verified-bots.ts';

/**
 * The name servers of this machine, asked on the wire. Never `/etc/hosts`, which `dns.lookup` and `dns.reverse` read.
 * A query that is told to stop is cancelled, so each has a channel of its own.
 */
export const createDnsResolver = (signal: AbortSignal): Resolver => ({
  namesOf: (address) => ask(signal, (channel) => channel.resolvePtr(reverseName(address))),
  async addressesOf(name, family) {
    const texts = await ask(signal, (channel) =>
      family === 4 ? channel.resolve4(name) : channel.resolve6(name),
    );
    return texts.flatMap((text) => parseAddress(text) ?? []);
  },
});

/** The name under which the PTR records of an address stand (RFC 1035 §3.5, RFC 3596 §2.5). */
export function reverseName({ bytes }: Address): string {
  if (bytes.length === 4) return `${[...bytes].reverse().join('.')}.in-addr.arpa`;
  const nibbles = [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
  return `${nibbles
    .reverse()
    .map((nibble) => nibble.toString(16))
    .join('.')}.ip6.arpa`;
}

async function ask(
  signal: AbortSignal,
  query: (channel: NodeResolver) => Promise<string[]>,
): Promise<string[]> {
  signal.throwIfAborted();
  const channel = new NodeResolver();
  const stop = () => channel.cancel();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await query(channel);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
