import { type Outbound, OutboundError } from './base/outbound.ts';
import type { Timer } from './base/ports.ts';
import { createOutbound } from './outbound/guarded-fetch.ts';

/** Requests of this server to itself, for what it shows of itself: the one exception to the rule of what it reaches. */
export type OwnOrigin = {
  /** To this origin by itself, redirects never followed; to all others as anybody's requests. Waits until `open`. */
  outbound: Outbound;
  /** Says where this server listens. */
  open(url: string): void;
  close(): Promise<void>;
};

/** @param guarded what goes to everybody else */
export function openOwnOrigin(guarded: Outbound, timer: Timer): OwnOrigin {
  const opened = Promise.withResolvers<{ origin: string; outbound: ReturnType<typeof createOutbound> }>();
  let close = async () => {};

  return {
    async outbound(url, init = {}) {
      const own = await opened.promise;
      if (URL.parse(String(url))?.origin !== own.origin) return guarded(url, init);
      // Where a redirect leads is for the caller to ask: followed here it would be held against another rule than its own.
      if (init.redirect === 'follow') throw new OutboundError('redirect', 'none is followed here');
      return own.outbound(url, init);
    },
    open(url) {
      const { origin, hostname } = new URL(url);
      const host = hostname.replace(/^\[(.*)\]$/, '$1');
      const outbound = createOutbound({ allow: { hosts: new Set([host]), covers: () => false }, timer });
      close = outbound.close;
      opened.resolve({ origin, outbound });
    },
    close: () => close(),
  };
}
