import * as z from 'zod';
import { Fault, type FaultOptions } from '../base/fault.ts';

/** Every kind of refusal: its stable code, HTTP status (RFC 9110 §15) and title. The docs print this table. */
export const PROBLEMS = {
  'malformed-request': { status: 400, title: 'The request is not of the expected form' },
  'malformed-challenge': { status: 400, title: 'The challenge is not of the expected form' },
  'malformed-answer': { status: 400, title: 'The answer is not of the expected form' },
  'feed-refused': { status: 400, title: 'The feed is not at an address that may be fetched' },
  'provider-refused': { status: 400, title: 'The provider of this model refuses the request' },
  'unknown-route': { status: 400, title: 'No gated route has this id' },
  'proof-required': { status: 401, title: 'Proof of work required' },
  'passport-invalid': { status: 401, title: 'The passport is not valid' },
  'passport-expired': { status: 401, title: 'The passport has expired' },
  'passport-network-mismatch': { status: 401, title: 'The passport belongs to another network' },
  'passport-too-weak': { status: 401, title: 'The passport took too little work for this route' },
  'unknown-key': { status: 401, title: 'The API key is unknown or revoked' },
  'sign-in-required': { status: 401, title: 'This needs the admin key' },
  'seal-invalid': { status: 403, title: 'The seal does not hold' },
  'insufficient-work': { status: 403, title: 'The answer does not do the work' },
  'route-mismatch': { status: 403, title: 'The challenge was made for another use' },
  'origin-not-allowed': { status: 403, title: 'Pages of this origin may not frame the solver' },
  'captcha-refused': { status: 403, title: 'The CAPTCHA service does not confirm the answer' },
  'captcha-stale': { status: 403, title: 'The CAPTCHA answer has expired or was already used' },
  'foreign-page': { status: 403, title: 'A page of another site may not ask for this' },
  'wrong-secret': { status: 403, title: 'The secret is not that of the site' },
  'pilot-limit': { status: 403, title: 'A pilot site does not take this' },
  'site-limit': { status: 403, title: 'The site holds as many pages as it may' },
  'not-found': { status: 404, title: 'Nothing is here' },
  'unknown-site': { status: 404, title: 'No site has this id' },
  'unknown-feed': { status: 404, title: 'The site has no such feed' },
  'unknown-page': { status: 404, title: 'The site has no such page' },
  'unknown-crawl': { status: 404, title: 'The site has no such crawl' },
  'unknown-model': { status: 404, title: 'No model has this name' },
  'method-not-allowed': { status: 405, title: 'This path does not take this method' },
  'challenge-already-used': { status: 409, title: 'The challenge was already used' },
  'crawl-running': { status: 409, title: 'The site is being crawled' },
  'challenge-expired': { status: 410, title: 'The challenge has expired' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'feed-too-large': { status: 413, title: 'The feed is too large' },
  'unsupported-media-type': { status: 415, title: 'The body is not of a supported type' },
  'not-indexable': { status: 422, title: 'The page is not to be indexed, or has no text' },
  'not-a-feed': { status: 422, title: 'No feed is there, or one without entries' },
  throttled: { status: 429, title: 'Too many calls from this network' },
  'quota-exceeded': { status: 429, title: 'The quota of this key is used up' },
  'provider-throttled': { status: 429, title: 'The provider of this model asks for fewer requests' },
  internal: { status: 500, title: 'Something went wrong here' },
  'feed-unreachable': { status: 502, title: 'The feed cannot be fetched' },
  'provider-failed': { status: 502, title: 'The provider of this model failed' },
  'provider-overloaded': { status: 503, title: 'The provider of this model cannot take this now' },
  overloaded: { status: 503, title: 'The server cannot take this now' },
  'store-unavailable': { status: 503, title: 'The store does not answer' },
  'captcha-unavailable': { status: 503, title: 'The CAPTCHA service cannot be asked' },
  'feed-timeout': { status: 504, title: 'The feed does not come in time' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** A fault of the table. `detail` says what was expected and what came; it is public. */
export function fault(code: ProblemCode, detail: string, options?: FaultOptions): Fault {
  return new Fault(code, detail, options);
}

/** `application/problem+json` (RFC 9457), with the stable `code` and the id under which the log has the request. */
export const ProblemBody = z
  .looseObject({
    type: z.literal('about:blank'),
    title: z.string(),
    status: z.int(),
    code: z.string().meta({ description: 'stable; one of the table in docs/errors.md' }),
    detail: z.string().meta({ description: 'what was expected and what came' }),
    request_id: z.string(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details' });

/** The body and status of a refusal. */
export function problemBody(refusal: Fault, requestId: string): z.infer<typeof ProblemBody> {
  const { status, title } = PROBLEMS[refusal.code as ProblemCode];
  return {
    type: 'about:blank',
    title,
    status,
    code: refusal.code,
    detail: refusal.message,
    request_id: requestId,
    ...refusal.members,
  };
}

/** The table of docs/errors.md: code, status, title. */
export function problemTable(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`,
  );
  return ['| code | status | title |', '|---|---|---|', ...rows].join('\n');
}
