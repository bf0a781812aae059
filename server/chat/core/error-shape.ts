import { writeEvent } from './events.ts';

/** The two forms that clients speak. */
export type Format = 'openai' | 'anthropic';

/** The form of a path; null where it is no path of the gateway. `/v1/models` is read by both kinds. */
export function formatOf(path: string): Format | null {
  const plain = path.toLowerCase().replace(/\/$/, '');
  if (plain === '/v1/messages') return 'anthropic';
  return ['/chat', '/v1/chat/completions', '/v1/models'].includes(plain) ? 'openai' : null;
}

// https://platform.claude.com/docs/en/api/errors, which OpenAI's names agree with as far as they go.
const TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
};

const typeOf = (status: number) => TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');

export type ShownError = { status: number; code: string; message: string };

/** The members by which the clients of a form know an error: they stand in the problem body, beside its own. */
export function errorMembers(format: Format, { status, code, message }: ShownError): Record<string, unknown> {
  return format === 'anthropic'
    ? { type: 'error', error: { type: typeOf(status), message, code } }
    : { error: { message, type: typeOf(status), param: null, code } };
}

/** The event that ends a stream which cannot go on. */
export function errorEvent(format: Format, error: ShownError): string {
  const body = JSON.stringify(errorMembers(format, error));
  return writeEvent(format === 'anthropic' ? 'error' : null, body);
}
