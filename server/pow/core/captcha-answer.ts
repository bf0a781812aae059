import { ClassicAnswer, FriendlyAnswer } from '../../wire/captcha.ts';
import type { CaptchaSettings, CodeMeaning } from './captcha-providers.ts';

/** The `siteverify` request for a token. Nothing of the visitor goes with it, not even the address. */
export function siteverifyRequest(
  { provider, siteKey, secret }: CaptchaSettings,
  token: string,
): { headers: Record<string, string>; body: string } {
  const site = provider.takesSiteKey ? { sitekey: siteKey } : {};
  if (provider.protocol === 'friendly') {
    return {
      headers: { 'Content-Type': 'application/json', 'X-API-Key': secret },
      body: JSON.stringify({ response: token, ...site }),
    };
  }
  const pairs = Object.entries({ secret, response: token, ...site });
  return {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'),
  };
}

/** What the provider's answer comes to. `told` is for the operator: codes of the provider, never a secret. */
export type Judgement = { outcome: 'passed' | 'wrong-host' | CodeMeaning; told: string };

// Where several codes come, the one that the operator must know of counts before the visitor's.
const GRAVEST_FIRST: readonly CodeMeaning[] = ['misconfigured', 'unavailable', 'stale', 'refused'];

/**
 * Judges an answer of `siteverify`. Only status 200 and `success: true` pass, and where a host name is configured only
 * a token of that host. Providers send some failures with a 4xx, so a body of the expected form counts there as well.
 */
export function judgeAnswer(settings: CaptchaSettings, status: number, body: unknown): Judgement {
  const answer = settings.provider.protocol === 'friendly' ? readFriendly(body) : readClassic(body);
  if (!answer || status >= 500 || (answer.isSuccess && status !== 200)) {
    return { outcome: 'unavailable', told: `status ${status}${answer ? '' : ', not the expected form'}` };
  }
  const { isSuccess, host, codes } = answer;
  const told = codes.length > 0 ? codes.map(shorten).join(', ') : `status ${status}, no code`;
  if (!isSuccess) {
    const meanings = codes.map((code) =>
      Object.hasOwn(settings.provider.codes, code) ? settings.provider.codes[code] : null,
    );
    const outcome = GRAVEST_FIRST.find((meaning) => meanings.includes(meaning));
    // A code that we do not know: the provider has said no in any case.
    return { outcome: outcome ?? (status === 200 ? 'refused' : 'unavailable'), told };
  }
  if (settings.hostname !== null && host !== settings.hostname) {
    return { outcome: 'wrong-host', told: host === null ? 'no host name' : shorten(host) };
  }
  return { outcome: 'passed', told };
}

type Answer = { isSuccess: boolean; host: string | null; codes: readonly string[] };

function readClassic(body: unknown): Answer | null {
  const { data } = ClassicAnswer.safeParse(body);
  return data
    ? {
        isSuccess: data.success,
        host: data.hostname?.toLowerCase() ?? null,
        codes: data['error-codes'] ?? [],
      }
    : null;
}

function readFriendly(body: unknown): Answer | null {
  const { data } = FriendlyAnswer.safeParse(body);
  if (!data) return null;
  const origin = data.data?.challenge?.origin ?? '';
  // An origin, or in older answers the bare host.
  const [, host] = /^(?:https?:\/\/)?([a-z0-9.-]+)(?::\d+)?\/?$/i.exec(origin) ?? [];
  return {
    isSuccess: data.success,
    host: host?.toLowerCase() ?? null,
    codes: data.error ? [data.error.error_code] : [],
  };
}

// What a provider sends ends up in a log line.
const shorten = (text: string) => text.slice(0, 100);
