/**
 * A u64 from what a caller gives: a BigInt, a whole number, or canonical decimal text.
 *
 * @param name what the number is, for the message
 * @throws RangeError when it is none of these or not 0 .. 2**64 - 1
 */
export function readU64(value: bigint | number | string, name: string): bigint {
  const isWhole =
    typeof value === 'bigint' ||
    (typeof value === 'number' ? Number.isSafeInteger(value) : /^(0|[1-9][0-9]{0,19})$/.test(value));
  const number = isWhole ? BigInt(value) : -1n;
  if (number < 0n || number > 0xffff_ffff_ffff_ffffn) {
    throw new RangeError(`${name}: expected a whole number 0 .. 2^64 - 1, got ${String(value).slice(0, 40)}`);
  }
  return number;
}
