import type { DeviceResult, DeviceSummary } from '../../../server/wire/devices.ts';
import type { After } from '../../solver/after.ts';
import type { GateClient } from '../../solver/gate-client.ts';
import { solveInTime } from '../../solver/obtain-passport.ts';
import type { Pool } from '../../solver/pool.ts';
import { SessionError } from '../../solver/session-error.ts';

export type SubmissionDeps = {
  gate: Pick<GateClient, 'fetchChallenge'>;
  solve: Pool['solve'];
  fetch(path: string, init: RequestInit): Promise<Response>;
  /** Monotonic milliseconds. */
  now(): number;
  after: After;
};

const PATH = '/bench/results';

/**
 * Sends what was measured, with a proof of work, so that a flood of made-up devices costs what any flood costs here.
 * Gives the day on which the server forgets it. Rejects with SessionError.
 */
export async function submitDevice(deps: SubmissionDeps, body: string, signal: AbortSignal): Promise<string> {
  const proof = await obtainProof(deps, signal);
  const answer = await request(deps, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', PoW: proof },
    body,
    signal,
  });
  return String((answer as { kept_until?: unknown }).kept_until);
}

/** What is known of other devices. Nothing of this one is told. Rejects with SessionError. */
export async function fetchSummary(
  deps: Pick<SubmissionDeps, 'fetch'>,
  signal: AbortSignal,
): Promise<DeviceSummary> {
  return (await request(deps, { method: 'GET', signal })) as DeviceSummary;
}

/** The text that is sent, and shown before: JSON with a line a member, so that it reads well on a phone. */
export function submissionText(result: DeviceResult): string {
  const lines = Object.entries(result).map(([name, value]) => `  "${name}": ${inOneLine(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

// No text in it holds white space, so only that between its parts is touched.
const inOneLine = (value: unknown) => JSON.stringify(value, null, 1).replace(/\s+/g, ' ');

/** `challenge:answer`; a challenge that runs out is replaced, as the search has no memory. */
async function obtainProof(deps: SubmissionDeps, signal: AbortSignal): Promise<string> {
  for (;;) {
    const body = await deps.gate.fetchChallenge(undefined, signal);
    const solution = await solveInTime(deps, { body, receivedMs: deps.now() }, signal, undefined);
    if (solution) return `${body.challenge}:${solution.answer}`;
  }
}

async function request(deps: Pick<SubmissionDeps, 'fetch'>, init: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await deps.fetch(PATH, { ...init, credentials: 'same-origin', cache: 'no-store' });
  } catch (cause) {
    throw new SessionError('unreachable', 'The server could not be reached.', null, { cause });
  }
  const body = await response.json().catch(() => null);
  if (response.ok && body !== null) return body;
  const { code, detail } = (body ?? {}) as { code?: string; detail?: string };
  throw new SessionError(code ?? 'unreachable', detail ?? `status ${response.status}`, response.status);
}
