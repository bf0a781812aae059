// V8's knob, which the language does not know; elsewhere setting it does nothing.
const stacks = Error as ErrorConstructor & { stackTraceLimit?: number | undefined };

/**
 * Something that a caller is told in public. `cause` is for the operator's log alone.
 *
 * `code` is one of the table in `wire/problem.ts`, which also gives the HTTP status; make faults with `fault` from there.
 */
export class Fault extends Error {
  readonly code: string;
  /** More members of the problem body, such as `challenge`. */
  readonly members: Record<string, unknown>;
  /** Response headers that belong to the refusal, such as `Retry-After`. */
  readonly headers: Record<string, string>;

  constructor(code: string, detail: string, options: FaultOptions = {}) {
    // A refusal is an answer, not a bug: nobody reads its stack, and recording one costs more than a whole verification.
    // The cause keeps its own.
    const limit = stacks.stackTraceLimit;
    stacks.stackTraceLimit = 0;
    super(detail, options.cause === undefined ? {} : { cause: options.cause });
    stacks.stackTraceLimit = limit;
    this.name = 'Fault';
    this.code = code;
    this.members = options.members ?? {};
    this.headers = options.headers ?? {};
  }
}

export type FaultOptions = {
  cause?: unknown;
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
};
