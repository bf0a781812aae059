/**
 * The port of requests to other servers. `server/outbound/` has the one implementation; features get it handed in.
 *
 * It behaves as `fetch` does (http and https alone), and rejects with OutboundError.
 */
export type Outbound = (url: string | URL, init?: OutboundInit) => Promise<Response>;

export type OutboundInit = Pick<RequestInit, 'method' | 'headers' | 'body' | 'signal'> & {
  /** What becomes of a 3xx: a refusal (the default), the answer itself, or at most 20 further requests. */
  redirect?: 'error' | 'manual' | 'follow';
  /** From the call to the last byte of the body. Without it 30 s, or none where `idleLimitMs` is given. */
  timeLimitMs?: number;
  /** The longest silence: from the call to the head of the answer, and from there between any two reads that bring bytes. */
  idleLimitMs?: number;
  /** Of the body, after decompression. */
  mostBytes?: number;
};

export type OutboundReason =
  /** An address that is not to be reached. */
  | 'refused-address'
  /** Not http(s), or with credentials in it. */
  | 'refused-url'
  | 'redirect'
  | 'time-limit'
  | 'too-large'
  /** No name, no connection, no HTTP. */
  | 'unreachable';

/** Why there is no answer, or why its body ended early. Its message is for the operator. */
export class OutboundError extends Error {
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'OutboundError';
    this.reason = reason;
  }
}
