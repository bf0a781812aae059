/** In words, since a colour alone says nothing to many. */
export type Rating = 'good' | 'needs improvement' | 'poor';

/** What is watched while the device solves. All are milliseconds. */
export type Vital = 'inp' | 'blocking' | 'frame';

/** Up to the first value it is good, up to the second it needs improvement. */
const LIMITS: Record<Vital, readonly [number, number]> = {
  // web.dev/articles/inp: Interaction to Next Paint.
  inp: [200, 500],
  // Lighthouse's Total Blocking Time: what long tasks take beyond 50 ms each.
  blocking: [200, 600],
  // Our choice: three frames of a 60 Hz screen pass unseen, a fifth of a second does not.
  frame: [50, 200],
};

export function rateVital(vital: Vital, ms: number): Rating {
  const [good, fair] = LIMITS[vital];
  return ms <= good ? 'good' : ms <= fair ? 'needs improvement' : 'poor';
}

/** A task longer than this holds up what a visitor does (Long Tasks API). */
const LONG_TASK_MS = 50;

/** What long tasks take beyond 50 ms each, together. */
export const blockingMs = (durationsMs: readonly number[]): number =>
  durationsMs.reduce((sum, ms) => sum + Math.max(0, ms - LONG_TASK_MS), 0);
