import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { Agent, fetch as undiciFetch } from 'undici';
import { type Outbound, OutboundError, type OutboundInit } from '../base/outbound.ts';
import type { Timer } from '../base/ports.ts';
import { boundBody } from './bounded-body.ts';
import { createConnector, type Resolve } from './connector.ts';
import { type Allowed, createReach } from './reach.ts';

// Our choice, for callers that do not say: what a page may take (DESIGN of the crawler: 30 s and 10 MB).
const TIME_LIMIT_MS = 30_000;
const MOST_BYTES = 10_000_000;

export type OutboundDeps = {
  allow: Allowed;
  timer: Timer;
  /** The system's resolver where nothing is said. */
  resolve?: Resolve;
  /** The addresses of this machine where nothing is said. */
  ownAddresses?: () => readonly string[];
};

/**
 * `fetch`, for requests to servers that others name: never to an address of a special purpose, of a metadata service or
 * of this server, whatever name or redirect leads there. Time and body are bounded. Proxies of the environment do not
 * count: the check is of the address that is connected to, which through a proxy is the proxy's.
 */
export function createOutbound({
  allow,
  timer,
  resolve = (host) => lookup(host, { all: true }),
  ownAddresses = interfaceAddresses,
}: OutboundDeps): Outbound & { close(): Promise<void> } {
  const connect = createConnector(createReach(allow, ownAddresses), resolve, TIME_LIMIT_MS);
  // Its own limits of five minutes are off: every call has one of ours.
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });

  async function outbound(url: string | URL, init: OutboundInit = {}): Promise<Response> {
    const {
      idleLimitMs,
      timeLimitMs: said,
      mostBytes = MOST_BYTES,
      redirect = 'error',
      signal,
      ...rest
    } = init;
    const timeLimitMs = said ?? (idleLimitMs === undefined ? TIME_LIMIT_MS : undefined);
    const target = readUrl(url);
    const late = new AbortController();
    const limit = (ms: number | undefined, lack: string) =>
      ms === undefined
        ? () => {}
        : timer.after(ms, () =>
            late.abort(new OutboundError('time-limit', `${target.host}: ${lack} within ${ms} ms`)),
          );
    const cancelTotal = limit(timeLimitMs, 'no answer');
    const wait = () => limit(idleLimitMs, 'nothing came');
    let cancelWait = wait();
    const cancel = () => {
      cancelTotal();
      cancelWait();
    };
    const explain = (error: unknown) => explainError(error, late.signal, signal, target.host);
    try {
      const answer = (await undiciFetch(target, {
        ...(rest as object),
        // Followed ones are connected to through the same guard. "error" is told apart from other failures by hand.
        redirect: redirect === 'follow' ? 'follow' : 'manual',
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
        dispatcher: agent,
      })) as unknown as Response;
      cancelWait();
      cancelWait = () => {};
      await refuseAnswer(answer, redirect, mostBytes, target.host);
      if (!answer.body) cancel();
      const body = answer.body && boundBody(answer.body, mostBytes, explain, cancel, wait);
      return withBody(answer, body);
    } catch (error) {
      cancel();
      throw explain(error);
    }
  }
  return Object.assign(outbound, { close: () => agent.destroy() });
}

function readUrl(text: string | URL): URL {
  const url = URL.parse(String(text));
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new OutboundError('refused-url', 'expected an http(s) URL without credentials');
  }
  return url;
}

async function refuseAnswer(
  answer: Response,
  redirect: OutboundInit['redirect'],
  mostBytes: number,
  host: string,
): Promise<void> {
  const isRedirect = [301, 302, 303, 307, 308].includes(answer.status) && answer.headers.has('location');
  const announced = Number(answer.headers.get('content-length') ?? 0);
  const fault =
    redirect === 'error' && isRedirect
      ? new OutboundError('redirect', `${host}: a redirect is not followed here`)
      : announced > mostBytes
        ? new OutboundError('too-large', `${host}: expected at most ${mostBytes} bytes, got ${announced}`)
        : null;
  if (!fault) return;
  await answer.body?.cancel();
  throw fault;
}

function withBody(answer: Response, body: ReadableStream<Uint8Array> | null): Response {
  const { status, statusText, url, redirected } = answer;
  const bounded = new Response(body, { status, statusText, headers: [...answer.headers] });
  // A made Response knows neither.
  return Object.defineProperties(bounded, { url: { value: url }, redirected: { value: redirected } });
}

/** undici hides what happened below `fetch failed`; a caller's own abort goes on as it is. */
function explainError(
  error: unknown,
  late: AbortSignal,
  callers: AbortSignal | null | undefined,
  host: string,
): unknown {
  if (late.aborted) return late.reason;
  if (callers?.aborted) return callers.reason;
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof OutboundError) return at;
    // Where every address of a name fails, Node gives all the reasons together.
    const first = at instanceof AggregateError ? at.errors.find((one) => one instanceof OutboundError) : null;
    if (first) return first;
  }
  return new OutboundError('unreachable', `${host}: no connection, or no HTTP`, error);
}

const interfaceAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
