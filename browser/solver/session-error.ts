/** What the solver itself reports; every other code is the server's (`code` of its problem body). */
export type OwnCode = 'unreachable' | 'aborted' | 'solver-failed' | 'too-many-tries';

/**
 * No passport was obtained. `code` is the server's problem code, or one of OwnCode; `message` is the detail.
 * `status` is the HTTP status of the answer that said so, or null where there was none.
 */
export class SessionError extends Error {
  override readonly name = 'SessionError';
  readonly code: string;
  readonly status: number | null;
  constructor(code: string, detail: string, status: number | null = null, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
    this.status = status;
  }
}

/** The error of an aborted session. */
export function aborted(signal: AbortSignal): SessionError {
  return new SessionError('aborted', 'The search was stopped.', null, { cause: signal.reason });
}
