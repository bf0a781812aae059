/**
 * What the log holds of an error: kind, message, stack, code and cause, and nothing else that it carries. Node's parse
 * errors hold the whole request head, cookies and keys included, and URL errors the query.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code !== undefined && { code: String(code) }),
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}

/** Whether the error is the client's doing: it went away, or what it sent is not HTTP. No matter for an alarm. */
export function isClientsDoing(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code);
  return /^(HPE_|ECONNRESET$|EPIPE$|ERR_STREAM_PREMATURE_CLOSE$|ECONNABORTED$)/.test(code);
}
