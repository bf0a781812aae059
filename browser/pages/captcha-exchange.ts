import type { CaptchaPageData } from '../../server/wire/captcha.ts';

/** What the server made of a token. `isFinal`: the token is used up, only another CAPTCHA helps. */
export type Exchanged =
  | { isOpen: true; ttlSecs: number; returnTo: string | null }
  | { isOpen: false; code: string; isFinal: boolean };

/** Our choice: the server waits five seconds for the provider. */
const ANSWER_LIMIT_MS = 20_000;

/** Sends the token to the server, which sets the cookie. Never rejects. */
export async function exchangeToken(
  token: string,
  { route, return_to }: Pick<CaptchaPageData, 'route' | 'return_to'>,
  fetch: (path: string, init: RequestInit) => Promise<Response>,
): Promise<Exchanged> {
  const asked = {
    response: token,
    ...(route !== null && { route }),
    ...(return_to !== null && { return_to }),
  };
  try {
    const answer = await fetch('/pow/captcha', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(asked),
      credentials: 'same-origin',
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    const body = await answer.json().catch(() => null);
    if (answer.ok && typeof body?.ttl_secs === 'number') {
      return { isOpen: true, ttlSecs: body.ttl_secs, returnTo: body.return_to ?? null };
    }
    const code = typeof body?.code === 'string' ? body.code : 'unreachable';
    return { isOpen: false, code, isFinal: answer.status < 429 && answer.status !== 408 };
  } catch {
    return { isOpen: false, code: 'unreachable', isFinal: false };
  }
}
