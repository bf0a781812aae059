import type { SkipReason } from './core/reasons.ts';
import { NO_ROBOTS, ROBOTS_BYTES, type Robots, readRobots } from './core/robots.ts';
import type { Fetched, Request } from './request.ts';

// RFC 9309 §2.3.1.2: at least five.
const MOST_REDIRECTS = 5;

/** What robots.txt of an origin says, or why nothing of the origin may be asked for. */
export type RobotsAnswer = {
  robots: Robots;
  unavailable: { reason: SkipReason; detail: string } | null;
};

/**
 * Asks for robots.txt (RFC 9309 §2.3.1): where there is none (4xx, a redirect too many) everything may be asked for; where
 * the server fails or cannot be reached, nothing.
 */
export async function fetchRobots(
  request: Request,
  origin: string,
  token: string,
  signal?: AbortSignal,
): Promise<RobotsAnswer> {
  let url = `${origin}/robots.txt`;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const answer = await request(url, { mostBytes: ROBOTS_BYTES, cuts: true, ...(signal && { signal }) });
    if (answer.kind === 'body') {
      const text = new TextDecoder().decode(answer.bytes);
      // A last line that was cut would be another rule than what stands there.
      const whole = answer.bytes.length < ROBOTS_BYTES ? text : text.slice(0, text.lastIndexOf('\n') + 1);
      return { robots: readRobots(whole, token), unavailable: null };
    }
    if (answer.kind === 'redirect') {
      const next = URL.parse(answer.location ?? '', url);
      if (!next) break;
      url = next.href;
      continue;
    }
    const failure = failureOf(answer);
    if (failure) {
      const { reason, detail } = failure;
      return { robots: NO_ROBOTS, unavailable: { reason, detail: `robots.txt: ${detail}` } };
    }
    break;
  }
  return { robots: NO_ROBOTS, unavailable: null };
}

// 4xx: unavailable, which forbids nothing (§2.3.1.3); all else is unreachable (§2.3.1.4).
function failureOf(answer: Fetched): { reason: SkipReason; detail: string } | null {
  if (answer.kind === 'busy')
    return { reason: 'server-error', detail: `the server answered ${answer.status}` };
  if (answer.kind !== 'refused' || answer.reason === 'auth' || answer.reason === 'not-found') return null;
  return answer;
}
