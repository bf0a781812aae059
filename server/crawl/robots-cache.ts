import type { Clock, Timer } from '../base/ports.ts';
import type { RobotsOf } from './admit-address.ts';
import { fetchRobots, type RobotsAnswer } from './fetch-robots.ts';
import { sleep } from './pace.ts';
import type { Request } from './request.ts';

// RFC 9309 §2.4: not longer than a day.
const KEPT_MS = 86_400_000;
const PAUSES_MS = [5_000, 10_000];

/** What robots.txt of each origin says, asked for once a crawl and day; of a server that fails, three times. */
export function createRobotsCache(
  { request, token, clock, timer }: { request: Request; token: string; clock: Clock; timer: Timer },
  signal: AbortSignal,
): RobotsOf {
  const kept = new Map<string, { answer: Promise<RobotsAnswer>; untilMs: number }>();

  async function ask(origin: string): Promise<RobotsAnswer> {
    for (let attempt = 0; ; attempt++) {
      const answer = await fetchRobots(request, origin, token, signal);
      const isFinal = answer.unavailable === null || answer.unavailable.reason === 'refused-address';
      if (isFinal || attempt === PAUSES_MS.length) return answer;
      await sleep(timer, PAUSES_MS[attempt], signal);
      signal.throwIfAborted();
    }
  }
  return function robotsOf(origin) {
    const found = kept.get(origin);
    if (found && clock.nowMs() < found.untilMs) return found.answer;
    const answer = ask(origin);
    kept.set(origin, { answer, untilMs: clock.nowMs() + KEPT_MS });
    answer.catch(() => kept.delete(origin));
    return answer;
  };
}
