import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { parseAddress } from '../base/address.ts';
import { OutboundError } from '../base/outbound.ts';
import type { Reach } from './reach.ts';

/** Every address of a name, as `dns.promises.lookup(name, { all: true })` gives them. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Opens connections, and only to what `reach` lets be reached.
 *
 * The name is looked up here, as part of connecting, and the connection goes to the very addresses that were judged: a
 * name that answers otherwise the next time gains nothing. Of several addresses only those that may be reached are
 * tried. A host that is an address is never looked up, so it is judged before. The peer is judged once more when it is
 * there, in case anything in between took another way.
 */
export function createConnector(
  reach: Reach,
  resolve: Resolve,
  timeLimitMs: number,
): buildConnector.connector {
  const refused = (host: string, address: string, reason: string) =>
    new OutboundError('refused-address', `${host}: ${address} is not to be reached: ${reason}`);

  const judge = (host: string, address: string): OutboundError | null => {
    // A zone id (fe80::1%eth0) leaves no address that could be judged.
    const parsed = parseAddress(address);
    const reason = parsed ? reach(host, parsed) : 'not understood';
    return reason === null ? null : refused(host, address, reason);
  };

  const lookUp: LookupFunction = (host, { all, family }, done) => {
    resolve(host).then(
      (found) => {
        const wanted = found.filter(
          (one) => !family || one.family === Number(String(family).replace('IPv', '')),
        );
        const faults = wanted.map(({ address }) => judge(host, address));
        const open = wanted.filter((_, i) => faults[i] === null);
        const [first] = open;
        if (!first) {
          done(faults[0] ?? new OutboundError('unreachable', `${host}: no address`), '');
        } else if (all) done(null, open as LookupAddress[]);
        else done(null, first.address, first.family);
      },
      (cause) => done(new OutboundError('unreachable', `${host}: no address`, cause), ''),
    );
  };
  const connect = buildConnector({ lookup: lookUp, timeout: timeLimitMs });

  return function connectGuarded(options, done) {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    const isAddress = parseAddress(host) !== null;
    const fault = isAddress ? judge(host, host) : null;
    if (fault) return done(fault, null);
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error) return done(error, null);
      const late = judge(host, socket.remoteAddress ?? '');
      if (!late) return done(null, socket);
      socket.destroy();
      done(late, null);
    });
  };
}
