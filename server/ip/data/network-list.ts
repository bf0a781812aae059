import { type Address, parseAddress } from '../../base/address.ts';
import { createRanges, type Range } from '../core/ranges.ts';

/**
 * A set of networks from lines of addresses and CIDRs; `#` and `;` begin a comment. Found by halving: lists of tens of
 * thousands of networks would be slow one by one.
 * @throws RangeError with the first line that is neither
 */
export function readNetworkList(text: string): { covers(address: Address): boolean; count: number } {
  const ranges: Record<4 | 16, { first: bigint; last: bigint }[]> = { 4: [], 16: [] };
  for (const line of text.split('\n')) {
    const entry = line.replace(/[#;].*$/, '').trim();
    if (entry === '') continue;
    const range = rangeOf(entry);
    if (!range)
      throw new RangeError(`expected an address or a CIDR, got ${JSON.stringify(entry.slice(0, 80))}`);
    ranges[range.lengthBytes].push(range);
  }
  const v4 = createRanges(merged(ranges[4], 1), 1);
  const v6 = createRanges(merged(ranges[16], 4), 4);
  return {
    count: v4.count + v6.count,
    covers: (address) => (address.bytes.length === 4 ? v4 : v6).find(address) !== null,
  };
}

function rangeOf(entry: string): { first: bigint; last: bigint; lengthBytes: 4 | 16 } | null {
  const [text, prefix, ...rest] = entry.split('/');
  const address = parseAddress(text);
  const bits = text.includes(':') ? 128 : 32;
  const prefixBits = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!address || rest.length > 0 || !(prefixBits <= bits)) return null;
  // `::ffff:a.b.c.d` was read as the IPv4 address that it is: its prefix is of the mapped form.
  const isMapped = bits === 128 && address.bytes.length === 4;
  const hostBits = BigInt(bits - prefixBits);
  if (isMapped && hostBits > 32n) return null;
  const value = address.bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const first = (value >> hostBits) << hostBits;
  return {
    first,
    last: first + (1n << hostBits) - 1n,
    lengthBytes: address.bytes.length === 4 ? 4 : 16,
  };
}

/** Sorted, with what overlaps or touches made one. */
function merged(ranges: { first: bigint; last: bigint }[], words: 1 | 4): Range[] {
  const sorted = ranges.toSorted((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  const result: { first: bigint; last: bigint }[] = [];
  for (const { first, last } of sorted) {
    const before = result.at(-1);
    if (before && first <= before.last + 1n) before.last = last > before.last ? last : before.last;
    else result.push({ first, last });
  }
  const wordsOf = (value: bigint) =>
    Array.from({ length: words }, (_, i) => Number((value >> BigInt(32 * (words - 1 - i))) & 0xffffffffn));
  return result.map(({ first, last }) => ({ first: wordsOf(first), last: wordsOf(last), number: 0 }));
}
