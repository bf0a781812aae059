import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Address, parseAddress } from '../base/address.ts';
import type { AddressSet } from '../base/address-set.ts';

// Only the hops nearest to us can be trusted ones; our choice, so that a long header costs nothing.
const MAX_HOPS = 32;

// A socket that has closed by now has no peer. It is in no network, so that nothing is bound to a made-up one.
const UNKNOWN: Address = { bytes: new Uint8Array(0) };

// A connection keeps its peer; parsing it once spares most requests the work.
const peers = new WeakMap<Socket, Address>();

/** The address at the other end of the connection. */
export function peerAddress({ socket }: IncomingMessage): Address {
  const known = peers.get(socket);
  if (known) return known;
  // A link-local peer comes with its interface, as in `fe80::1%eth0`.
  const [text] = (socket.remoteAddress ?? '').split('%');
  const peer = parseAddress(text) ?? UNKNOWN;
  peers.set(socket, peer);
  return peer;
}

/**
 * The client's address: the socket's peer, unless that is a trusted proxy. Then `X-Forwarded-For` is walked from the
 * right over trusted hops, and the first hop that is not trusted is the client; a hop that is no address ends the walk
 * at the hop before it. No other header is believed.
 */
export function clientAddress(request: IncomingMessage, trusted: AddressSet): Address {
  let client = peerAddress(request);
  // Node joins repeated headers with a comma, in the order they came.
  const header = request.headers['x-forwarded-for'];
  if (header === undefined || !trusted.covers(client)) return client;
  const hops = [header].flat().join(',').split(',').slice(-MAX_HOPS);
  while (hops.length > 0 && trusted.covers(client)) {
    const hop = readHop(hops.pop() as string);
    if (!hop) break;
    client = hop;
  }
  return client;
}

// `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:4711`
function readHop(text: string): Address | null {
  const bare = text.trim();
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(bare);
  if (bracketed) return parseAddress(bracketed[1]);
  return parseAddress(bare.replace(/^([0-9.]+):\d{1,5}$/, '$1'));
}
