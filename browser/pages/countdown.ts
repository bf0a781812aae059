/**
 * Calls `onTick` with the milliseconds left, now and at every full second, then `onEnd` once. Gives a stop function.
 *
 * Each tick reads the clock anew: timers of hidden tabs are throttled, and a laptop may have slept.
 *
 * @param untilMs Unix milliseconds of the clock that `now` reads
 */
export function startCountdown(
  untilMs: number,
  onTick: (leftMs: number) => void,
  onEnd: () => void,
  now: () => number = Date.now,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = () => {
    const leftMs = untilMs - now();
    if (leftMs <= 0) {
      onEnd();
      return;
    }
    onTick(leftMs);
    timer = setTimeout(tick, leftMs % 1000 || 1000);
  };
  tick();
  return () => clearTimeout(timer);
}
