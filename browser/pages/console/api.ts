/** A refusal of the server, with the sentence that it gives. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.name = 'Refused';
    this.status = status;
    this.code = code;
  }
}

export type Api = {
  get<Answer>(path: string): Promise<Answer>;
  send<Answer>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Answer>;
};

/**
 * Calls of the console's own server, by paths below `/console`. The session is the browser's cookie; nothing of it is in a
 * URL or in a script's hands.
 * @param onSignedOut called where the session is over
 */
export function createApi(onSignedOut: () => void): Api {
  async function call<Answer>(path: string, init: RequestInit): Promise<Answer> {
    const answer = await fetch(`/console${path}`, {
      ...init,
      credentials: 'same-origin',
      cache: 'no-store',
    }).catch(() => {
      throw new Refused(0, 'unreachable', 'No answer from the server. Check the connection and try again.');
    });
    if (answer.status === 204) return undefined as Answer;
    const body = await answer.json().catch(() => ({}));
    if (answer.ok) return body as Answer;
    if (answer.status === 401 && path !== '/session') onSignedOut();
    throw new Refused(
      answer.status,
      body.code ?? 'other',
      body.detail ?? `The server answered ${answer.status}.`,
    );
  }
  return {
    get: (path) => call(path, {}),
    send: (method, path, body) =>
      call(path, {
        method,
        ...(body !== undefined && {
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
      }),
  };
}
