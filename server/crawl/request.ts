import { type Outbound, OutboundError } from '../base/outbound.ts';
import type { SkipReason } from './core/reasons.ts';

/** What an address answered: its bytes, a redirect, or why there is nothing. */
export type Fetched =
  | { kind: 'body'; status: number; headers: Headers; bytes: Uint8Array }
  | { kind: 'redirect'; location: string | null }
  | { kind: 'unchanged' }
  /** Not now: 429 and 503. */
  | { kind: 'busy'; status: number; retryAfter: string | null }
  | { kind: 'refused'; reason: SkipReason; detail: string };

export type RequestOptions = {
  mostBytes: number;
  /** Give what there is up to `mostBytes`, rather than refuse it. */
  cuts?: boolean;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};
export type Request = (url: string, options: RequestOptions) => Promise<Fetched>;

export const PAGE_BYTES = 10_000_000;
export const PAGE_TIME_MS = 30_000;

/** One request of the crawler. Never follows a redirect, and rejects only where it was aborted. */
export function createRequest(outbound: Outbound, userAgent: string, timeLimitMs = PAGE_TIME_MS): Request {
  return async function request(url, { mostBytes, cuts = false, headers = {}, signal }) {
    try {
      const answer = await outbound(url, {
        headers: {
          'user-agent': userAgent,
          accept: 'text/html,application/xhtml+xml,application/pdf,*/*;q=0.5',
          ...headers,
        },
        redirect: 'manual',
        timeLimitMs,
        mostBytes: cuts ? Number.MAX_SAFE_INTEGER : mostBytes,
        ...(signal && { signal }),
      });
      const { status } = answer;
      const isBody = status >= 200 && status < 300;
      if (!isBody) await answer.body?.cancel().catch(() => {});
      if (isBody) {
        const bytes = cuts ? await readUpTo(answer, mostBytes) : new Uint8Array(await answer.arrayBuffer());
        return { kind: 'body', status, headers: answer.headers, bytes };
      }
      if (status === 304) return { kind: 'unchanged' };
      if (status >= 300 && status < 400)
        return { kind: 'redirect', location: answer.headers.get('location') };
      if (status === 429 || status === 503) {
        return { kind: 'busy', status, retryAfter: answer.headers.get('retry-after') };
      }
      return { kind: 'refused', ...reasonOfStatus(status) };
    } catch (error) {
      if (signal?.aborted) throw error;
      return { kind: 'refused', ...reasonOfError(error) };
    }
  };
}

const REASONS: Record<OutboundError['reason'], SkipReason> = {
  'refused-address': 'refused-address',
  'refused-url': 'refused-address',
  redirect: 'redirects',
  'time-limit': 'timeout',
  'too-large': 'too-large',
  unreachable: 'unreachable',
};

function reasonOfError(error: unknown): { reason: SkipReason; detail: string } {
  // What a site's owner reads says nothing of the network that this server stands in.
  if (!(error instanceof OutboundError)) return { reason: 'unreachable', detail: 'the answer broke off' };
  const detail =
    error.reason === 'refused-address' ? 'its address is private or of a special purpose' : error.message;
  return { reason: REASONS[error.reason], detail };
}

function reasonOfStatus(status: number): { reason: SkipReason; detail: string } {
  const reason =
    status === 401 || status === 403 || status === 407
      ? 'auth'
      : status === 408
        ? 'timeout'
        : status >= 400 && status < 500
          ? 'not-found'
          : 'server-error';
  return { reason, detail: `the server answered ${status}` };
}

async function readUpTo(answer: Response, mostBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of answer.body ?? []) {
    parts.push(part as Uint8Array);
    length += (part as Uint8Array).length;
    if (length >= mostBytes) break;
  }
  return Buffer.concat(parts).subarray(0, mostBytes);
}
