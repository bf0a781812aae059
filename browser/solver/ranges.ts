/**
 * Where each of `workers` workers starts: i · 2⁶⁴ / workers, rounded down.
 *
 * Each range ends where the next begins, and the last one at 2⁶⁴; none is ever tried to its end.
 *
 * @param workers a whole number, at least 1
 */
export function rangeStarts(workers: number): bigint[] {
  return Array.from({ length: workers }, (_, i) => (BigInt(i) << 64n) / BigInt(workers));
}
