/** A request that can be sent more than once. */
export type Replay = {
  url: URL;
  signal: AbortSignal | undefined;
  /** Sends it, with these headers set. */
  send(fetch: typeof globalThis.fetch, headers?: Record<string, string>): Promise<Response>;
};

/**
 * Makes the arguments of a `fetch` fit for being sent again: the first answer may be a refusal, and the body is then
 * needed once more.
 *
 * A body in `init` that is text, bytes, a form or a Blob is sent as often as it takes. The body of a Request is kept in
 * memory until the first answer.
 * @param base what a relative URL counts from; without it none is taken
 * @throws TypeError for a body that flows by once (a stream), before anything is sent
 */
export function makeReplay(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  base: string | undefined,
): Replay {
  if (isStream(init?.body)) {
    throw new TypeError(
      'body: expected one that can be sent again, got a stream; read it first, as text, bytes or a Blob',
    );
  }
  const isRequest = typeof input === 'object' && 'clone' in input;
  const url = new URL(isRequest ? input.url : input, base);
  const signal = init?.signal ?? (isRequest ? input.signal : undefined);
  const own = new Headers(init?.headers ?? (isRequest ? input.headers : undefined));

  return {
    url,
    signal,
    send(fetch, headers = {}) {
      const merged = new Headers(own);
      for (const [name, value] of Object.entries(headers)) {
        // A cookie joins those that the caller sends itself.
        const before = name === 'cookie' ? merged.get(name) : null;
        merged.set(name, before ? `${before}; ${value}` : value);
      }
      return fetch(isRequest ? input.clone() : input, { ...init, headers: merged });
    },
  };
}

/** Whether the body can be read once only: a ReadableStream, or the async iterables that Node takes. */
function isStream(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  if (typeof ReadableStream !== 'undefined' && body instanceof ReadableStream) return true;
  const isBlobOrForm = 'arrayBuffer' in body || 'append' in body;
  return !isBlobOrForm && Symbol.asyncIterator in body;
}
