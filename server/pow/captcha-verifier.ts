import type { Outbound } from '../base/outbound.ts';
import type { Log } from '../base/ports.ts';
import { fault } from '../wire/problem.ts';
import { type Judgement, judgeAnswer, siteverifyRequest } from './core/captcha-answer.ts';
import type { CaptchaSettings } from './core/captcha-providers.ts';

// All our choice. A visitor waits for it with a spinner; providers answer within a second.
export const TIME_LIMIT_MS = 5_000;
/** An answer has some hundred bytes; Friendly Captcha's risk data some thousand. */
export const MOST_ANSWER_BYTES = 65_536;
/** A provider that is slow for everybody must not collect the requests of everybody. */
export const MOST_IN_FLIGHT = 64;
const RETRY_SECS = 10;

export type CaptchaVerifierDeps = { settings: CaptchaSettings; outbound: Outbound; log: Log };

/** Resolves where the provider confirms the token. */
export type VerifyCaptcha = (token: string) => Promise<void>;

/**
 * Asks the provider whether a token is good. Whatever is not a clear yes is a refusal: nothing that goes wrong lets
 * anyone in.
 * @throws (the function given) Fault `captcha-refused`, `captcha-stale`, `captcha-unavailable`, `overloaded`
 */
export function createCaptchaVerifier({ settings, outbound, log }: CaptchaVerifierDeps): VerifyCaptcha {
  let inFlight = 0;

  return async function verifyCaptcha(token) {
    if (inFlight >= MOST_IN_FLIGHT) {
      throw fault('overloaded', `${MOST_IN_FLIGHT} CAPTCHA answers are being confirmed already`, {
        headers: { 'Retry-After': '1' },
      });
    }
    inFlight++;
    try {
      const { outcome, told } = await ask(settings, outbound, token);
      const { title } = settings.provider;
      if (outcome === 'passed') return;
      if (outcome === 'stale') {
        throw fault('captcha-stale', 'the answer has expired or was already used; solve another CAPTCHA');
      }
      if (outcome === 'unavailable') throw unavailable(new Error(`${title}: ${told}`));
      if (outcome === 'misconfigured') {
        throw unavailable(
          new Error(`${title} refuses the secret or the site key of CAPTCHA_CONFIG: ${told}`),
        );
      }
      if (outcome === 'wrong-host') {
        log.warn(
          { expected: settings.hostname, got: told },
          'a CAPTCHA answer was made on another host than CAPTCHA_CONFIG names',
        );
        throw fault('captcha-refused', 'the answer was made on another website');
      }
      throw fault('captcha-refused', `${title} does not confirm the answer`);
    } finally {
      inFlight--;
    }
  };
}

async function ask(settings: CaptchaSettings, outbound: Outbound, token: string): Promise<Judgement> {
  let status: number;
  let text: string;
  try {
    const answer = await outbound(settings.verifyUrl, {
      method: 'POST',
      ...siteverifyRequest(settings, token),
      timeLimitMs: TIME_LIMIT_MS,
      mostBytes: MOST_ANSWER_BYTES,
    });
    ({ status } = answer);
    text = await answer.text();
  } catch (cause) {
    throw unavailable(cause);
  }
  return judgeAnswer(settings, status, parse(text));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The cause is for the operator's log, where the single exit for errors writes it. */
const unavailable = (cause: unknown) =>
  fault(
    'captcha-unavailable',
    'the CAPTCHA service cannot be asked at the moment; the puzzle opens the page as well',
    {
      cause,
      headers: { 'Retry-After': String(RETRY_SECS) },
    },
  );
