import { Fault } from '../base/fault.ts';
import { OutboundError } from '../base/outbound.ts';
import { fault } from '../wire/problem.ts';
import type { ModelRow } from './config-file.ts';

/** What an HTTP answer says that is no success. `body` is its text, as far as it was read. */
export type BadAnswer = { status: number; retryAfter: string | null; body: string };

// Our choice: what a person reads of a provider's complaint.
const MOST_MESSAGE_CHARS = 2_000;

/**
 * The refusal for a provider's bad answer. What the client did wrong passes on with the provider's words; what the
 * operator has to mend (keys, names of models) is told to the log alone.
 */
export function faultOfAnswer(row: ModelRow, { status, retryAfter, body }: BadAnswer): Fault {
  const message = redact(row, messageOf(body)) || `status ${status}`;
  const cause = new Error(`${row.provider} answered ${status}: ${message}`);
  const headers =
    retryAfter !== null && /^[\x20-\x7e]{1,64}$/.test(retryAfter) ? { 'Retry-After': retryAfter } : {};
  if (status === 400 || status === 413 || status === 422)
    return fault('provider-refused', message, { cause });
  if (status === 429) return fault('provider-throttled', message, { cause, headers });
  // 529: https://platform.claude.com/docs/en/api/errors
  if (status === 503 || status === 529) {
    return fault('provider-overloaded', 'the provider is overloaded; try again later', { cause, headers });
  }
  const detail =
    status >= 500
      ? 'the provider failed; try again later'
      : 'the provider does not take the request from this server; its operator finds the reason in the log';
  return fault('provider-failed', detail, { cause });
}

/**
 * The refusal for whatever went wrong with a provider: a bad answer, none, or one that broke off. Never holds a key,
 * nor what the client said.
 */
export function faultOfError(row: ModelRow, error: unknown): Fault {
  if (error instanceof Fault) return error;
  const outbound = outboundErrorIn(error);
  if (outbound) {
    const cause = new Error(redact(row, outbound.message));
    if (outbound.reason === 'refused-address') {
      const detail = `the provider of ${JSON.stringify(row.name)} has an address that is not public; the operator must list it in OUTBOUND_ALLOW`;
      return fault('provider-failed', detail, { cause });
    }
    const detail =
      outbound.reason === 'time-limit'
        ? 'the provider did not answer in time'
        : 'the provider was not reached';
    return fault('provider-failed', detail, { cause });
  }
  const { name = '', message = '', statusCode, responseHeaders, responseBody } = (error ?? {}) as SdkError;
  if (name === 'AI_APICallError' && typeof statusCode === 'number' && statusCode >= 400) {
    const retryAfter = responseHeaders?.['retry-after'] ?? null;
    return faultOfAnswer(row, { status: statusCode, retryAfter, body: responseBody ?? message });
  }
  if (/^AI_(UnsupportedFunctionality|InvalidPrompt|InvalidArgument)Error$/.test(name)) {
    return fault('malformed-request', `not for a model of ${row.provider}: ${redact(row, message)}`);
  }
  // The SDK's own errors hold requests and answers, so only name and message go to the log.
  const cause = new Error(redact(row, `${name}: ${message}`.slice(0, MOST_MESSAGE_CHARS)));
  return fault('provider-failed', 'the provider broke off, or its answer was not understood', { cause });
}

type SdkError = {
  name?: string;
  message?: string;
  statusCode?: number;
  responseHeaders?: Record<string, string>;
  responseBody?: string;
};

function outboundErrorIn(error: unknown): OutboundError | null {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof OutboundError) return at;
  return null;
}

// OpenAI, Anthropic, Google and what follows them all write error.message; Google's may stand in an array.
function messageOf(body: string): string {
  try {
    const json: unknown = JSON.parse(body);
    const { error } = (Array.isArray(json) ? json[0] : json) as { error?: { message?: unknown } | string };
    const message = typeof error === 'string' ? error : error?.message;
    if (typeof message === 'string') return message.slice(0, MOST_MESSAGE_CHARS);
  } catch {
    // A proxy's page, or nothing.
  }
  return '';
}

const redact = ({ apiKey }: ModelRow, text: string) => (apiKey ? text.replaceAll(apiKey, '…') : text);
