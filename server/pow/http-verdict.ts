import { networkOf, networkText } from '../base/network.ts';
import type { Clock, Log, Timer } from '../base/ports.ts';
import { withinLimit } from '../base/time-limit.ts';
import { VerdictAnswer, type VerdictRequest } from '../wire/verdict.ts';
import type { Visit } from './core/policy.ts';
import type { Verdict, VerdictOf } from './core/verdict.ts';

// All our choice. A visitor waits for the verdict before anything else happens, so it may cost less than a page does.
export const TIME_LIMIT_MS = 300;
/** `{"verdict":"suspect"}` with room for members of its own. */
export const MOST_ANSWER_BYTES = 1_024;
/** A component that is slow for everybody must not collect the requests of everybody. */
export const MOST_IN_FLIGHT = 64;
/** After so many failures in a row it is left alone for a while; then one request tries it again. */
export const FAILURES_TO_REST = 3;
export const REST_MS = 10_000;
const LOG_EVERY_MS = 60_000;

export type HttpVerdictDeps = {
  url: string;
  /** What stands in for a failure. By its type it never says human, so a failure never opens the gate. */
  fallback: (visit: Visit) => Exclude<Verdict, 'human'>;
  fetch: typeof fetch;
  clock: Clock;
  timer: Timer;
  log: Log;
};

/**
 * Asks the operator's own component: POST of a `VerdictRequest` as JSON, answered with 200 and a `VerdictAnswer`.
 *
 * Whatever else comes (no answer in time, another status, a redirect, a long body, nonsense) is a failure, and the
 * built-in verdict stands.
 */
export function createHttpVerdict({ url, fallback, fetch, clock, timer, log }: HttpVerdictDeps): VerdictOf {
  let inFlight = 0;
  let failuresInRow = 0;
  let restsUntilMs = Number.NEGATIVE_INFINITY;
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  let unlogged = 0;

  function mayAsk(): boolean {
    if (inFlight >= MOST_IN_FLIGHT) return false;
    if (failuresInRow < FAILURES_TO_REST) return true;
    // One request tries at a time; the others do not wait for what is likely dead.
    return clock.nowMs() >= restsUntilMs && inFlight === 0;
  }

  function noteFailure(err: unknown): void {
    const nowMs = clock.nowMs();
    failuresInRow++;
    unlogged++;
    restsUntilMs = nowMs + REST_MS;
    if (nowMs - loggedAtMs < LOG_EVERY_MS) return;
    log.warn({ err, failures: unlogged }, 'the verdict component failed; built-in verdicts stand');
    loggedAtMs = nowMs;
    unlogged = 0;
  }

  return async function httpVerdict(visit) {
    if (!mayAsk()) return fallback(visit);
    inFlight++;
    try {
      const verdict = await withinLimit((signal) => ask(fetch, url, visit, signal), TIME_LIMIT_MS, timer);
      failuresInRow = 0;
      return verdict;
    } catch (err) {
      noteFailure(err);
      return fallback(visit);
    } finally {
      inFlight--;
    }
  };
}

async function ask(
  fetchUrl: typeof fetch,
  url: string,
  { method, path, address, userAgent }: Visit,
  signal: AbortSignal,
): Promise<Verdict> {
  const asked: VerdictRequest = {
    method,
    path,
    network: networkText(networkOf(address)),
    user_agent: userAgent,
  };
  const answer = await fetchUrl(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(asked),
    redirect: 'error',
    signal,
  });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new Error(`expected status 200, got ${answer.status}`);
  }
  return VerdictAnswer.parse(JSON.parse(await readBounded(answer))).verdict;
}

async function readBounded(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let received = 0;
  // Leaving the loop cancels the body.
  for await (const chunk of answer.body ?? []) {
    received += chunk.length;
    if (received > MOST_ANSWER_BYTES) throw new Error(`expected at most ${MOST_ANSWER_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
