import type { Outbound } from '../base/outbound.ts';
import type { ModelRow } from './config-file.ts';
import type { Format } from './core/error-shape.ts';
import { dataOf, endOfWhole, eventsOf } from './core/events.ts';
import { NO_USAGE, type Usage } from './core/neutral.ts';
import { limitsOf } from './upstream.ts';
import { faultOfAnswer, faultOfError } from './upstream-fault.ts';

/** Headers of the client that a provider of its form should see. */
export type ClientHeaders = { version: string; beta: string };

/** Whether the provider speaks the client's form, so that its answer needs no translation. */
export const isSameForm = (format: Format, { provider }: ModelRow): boolean =>
  format === 'anthropic'
    ? provider === 'anthropic'
    : provider === 'openai' || provider === 'openai-compatible';

// Of a complaint.
const MOST_COMPLAINT_CHARS = 64_000;

/**
 * Sends a request on to a provider of the same form, with the provider's name of the model and key. Gives its answer when
 * the head is there. @throws Fault where it is no success
 */
export async function sendOn(
  row: ModelRow,
  format: Format,
  body: { stream?: boolean | null | undefined },
  { version, beta }: ClientHeaders,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (format === 'anthropic') {
    headers['anthropic-version'] = version || '2023-06-01';
    if (beta) headers['anthropic-beta'] = beta;
    if (row.apiKey !== null) headers['x-api-key'] = row.apiKey;
  } else if (row.apiKey !== null) headers.authorization = `Bearer ${row.apiKey}`;
  try {
    const path = format === 'anthropic' ? '/messages' : '/chat/completions';
    const answer = await outbound(`${row.baseUrl}${path}`, {
      ...limitsOf(body.stream === true),
      method: 'POST',
      headers,
      body: JSON.stringify({ ...body, model: row.model }),
      signal,
    });
    if (answer.ok) return answer;
    const { status } = answer;
    const retryAfter = answer.headers.get('retry-after');
    throw faultOfAnswer(row, {
      status,
      retryAfter,
      body: (await answer.text()).slice(0, MOST_COMPLAINT_CHARS),
    });
  } catch (error) {
    throw faultOfError(row, error);
  }
}

// Our choice: no event is so long that it must be held whole.
const MOST_HELD_BYTES = 4_000_000;

/**
 * The bytes of a stream of events as they come, cut between events alone: what is there of an event that never ends is
 * held back, so that another may follow.
 * @param see told what usage the events tell of, at the end
 * @throws Error where the stream breaks off, or ends without having said why
 */
export async function* relayEvents(
  body: ReadableStream<Uint8Array>,
  see: (usage: Usage) => void,
): AsyncGenerator<Uint8Array> {
  const seen = { isOver: false, usage: { ...NO_USAGE } };
  let held: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of body) {
      const all = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
      // One character a byte, so that indexes agree.
      const end = all.length > MOST_HELD_BYTES ? all.length : endOfWhole(all.toString('latin1'));
      held = all.subarray(end);
      if (end === 0) continue;
      const whole = all.subarray(0, end);
      look(whole.toString('utf8'), seen);
      yield whole;
    }
    if (held.length > 0) {
      look(held.toString('utf8'), seen);
      // Some servers leave out the last empty line.
      if (seen.isOver) yield held;
    }
    if (!seen.isOver) throw new Error('the stream ended without a finish');
  } finally {
    see(seen.usage);
  }
}

// How each form says that an answer is over: [DONE], a finish_reason, message_stop, or an error of its own.
const OVER = /^data: ?\[DONE\]|"finish_reason":\s*"|"type":\s*"message_stop"|"error":\s*[{"]/m;

function look(text: string, seen: { isOver: boolean; usage: Usage }): void {
  seen.isOver ||= OVER.test(text);
  if (!/"usage":\s*\{/.test(text)) return;
  for (const event of eventsOf(text)) {
    if (event.includes('"usage"')) Object.assign(seen.usage, usageIn(dataOf(event) ?? ''));
  }
}

/** The usage that a body or an event of either form tells of; what it does not say is left out. */
export function usageIn(json: string): Partial<Usage> {
  try {
    const body = JSON.parse(json) as { usage?: unknown; message?: { usage?: unknown } };
    const told = (body.usage ?? body.message?.usage ?? {}) as Record<string, unknown>;
    const input = told.prompt_tokens ?? told.input_tokens;
    const output = told.completion_tokens ?? told.output_tokens;
    return {
      ...(typeof input === 'number' && { input }),
      ...(typeof output === 'number' && { output }),
    };
  } catch {
    return {};
  }
}
