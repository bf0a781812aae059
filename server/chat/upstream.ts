import type { Outbound, OutboundInit } from '../base/outbound.ts';

// Our choice. A model may think for minutes before it says a word; one that says nothing for five will not.
const IDLE_LIMIT_MS = 300_000;
/** For an answer that comes as a whole: nobody can tell whether it is being written. Ten minutes is the clients' own limit. */
const WHOLE_LIMIT_MS = 600_000;
const MOST_BYTES = 100_000_000;

/** How long an answer may take and how long it may be. */
export const limitsOf = (isStream: boolean): OutboundInit =>
  isStream
    ? { idleLimitMs: IDLE_LIMIT_MS, mostBytes: MOST_BYTES }
    : { timeLimitMs: WHOLE_LIMIT_MS, mostBytes: MOST_BYTES };

/** A `fetch` for the SDK that goes through the guard of requests to others. */
export const fetchThrough =
  (outbound: Outbound, isStream: boolean): typeof globalThis.fetch =>
  (input, init = {}) =>
    outbound(input instanceof Request ? input.url : input, {
      ...limitsOf(isStream),
      ...(init.method !== undefined && { method: init.method }),
      ...(init.headers !== undefined && { headers: init.headers }),
      ...(init.body != null && { body: init.body }),
      ...(init.signal != null && { signal: init.signal }),
    });
