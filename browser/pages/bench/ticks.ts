/** The numbers between `min` and `max` that are one of `digits` times a power of ten. */
export function logTicks(min: number, max: number, digits: readonly number[]): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(min)); 10 ** power <= max; power++) {
    for (const digit of digits) {
      // Through text, since 10 ** -3 * 5 and the like are not the number that they should be.
      const tick = Number(`${digit}e${power}`);
      if (tick >= min && tick <= max) ticks.push(tick);
    }
  }
  return ticks;
}
