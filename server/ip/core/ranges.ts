import type { Address } from '../../base/address.ts';

/** An address as 32-bit words, the most significant first: one word for IPv4, four for IPv6. */
export type Words = readonly number[] | Uint32Array;

/** A range of addresses, both ends inclusive, and the number that goes with it. */
export type Range = { first: Words; last: Words; number: number };

/** Ranges of one address family, found by halving. */
export type Ranges = {
  /** The number of the range that holds the address, and the shortest prefix of the address that stays inside it. */
  find(address: Address): { number: number; prefixBits: number } | null;
  count: number;
};

/**
 * The ranges of a family, sorted by their first. Where two overlap, the later one begins and the earlier one ends there:
 * the public snapshots have such a line now and then.
 * @param words 32-bit words of an address: 1 for IPv4, 4 for IPv6
 * @throws RangeError where they are not sorted, or one ends before it begins
 */
export function createRanges(ranges: Iterable<Range>, words: 1 | 4): Ranges {
  const firsts: number[] = [];
  const lasts: number[] = [];
  const numbers: number[] = [];
  let before: Range | null = null;
  for (const range of ranges) {
    const { first, last, number } = range;
    if (compare(last, first) < 0 || (before && compare(first, before.first) <= 0)) {
      throw new RangeError(`ranges out of order at ${first.join(':')}`);
    }
    if (before && compare(first, before.last) <= 0) lasts.splice(-words, words, ...justBefore(first));
    for (let word = 0; word < words; word++) {
      firsts.push(first[word]);
      lasts.push(last[word]);
    }
    numbers.push(number);
    before = range;
  }
  return searchRanges(Uint32Array.from(firsts), Uint32Array.from(lasts), Uint32Array.from(numbers), words);
}

function searchRanges(firsts: Uint32Array, lasts: Uint32Array, numbers: Uint32Array, words: 1 | 4): Ranges {
  // One look-up at a time uses it: nothing here waits.
  const address = new Uint32Array(words);
  const halves = words === 1 ? firstOfHalves(firsts) : null;
  return {
    count: numbers.length,
    find({ bytes }) {
      if (bytes.length !== 4 * words) return null;
      for (let word = 0; word < words; word++) address[word] = wordAt(bytes, 4 * word);
      const entry = (halves ? countFrom(address[0], firsts, halves) : countUpTo(address, firsts)) - 1;
      const at = entry * words;
      if (entry < 0 || compare(address, lasts, at) > 0) return null;
      return { number: numbers[entry], prefixBits: prefixWithin(address, firsts, lasts, at) };
    },
  };
}

/**
 * How many of the sorted `firsts` begin before each upper half of a word. Halving half a million of them takes nineteen
 * steps, most of them to memory that no cache holds; within one half there are a dozen.
 */
function firstOfHalves(firsts: Uint32Array): Uint32Array {
  const before = new Uint32Array(65_537);
  let at = 0;
  for (let half = 0; half <= 65_536; half++) {
    while (at < firsts.length && firsts[at] >>> 16 < half) at++;
    before[half] = at;
  }
  return before;
}

/** How many of the sorted `firsts` are at or before the one word: quicker than the walk over several. */
function countFrom(word: number, firsts: Uint32Array, halves: Uint32Array): number {
  let low = halves[word >>> 16];
  let high = halves[(word >>> 16) + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (firsts[middle] <= word) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the sorted `firsts`, as many words each as the address has, are at or before it. */
function countUpTo(address: Uint32Array, firsts: Uint32Array): number {
  let low = 0;
  let high = firsts.length / address.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(address, firsts, middle * address.length) >= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Below zero where `a` is before the words of `b` from `at` on, zero where it is the same, above zero behind. */
function compare(a: Words, b: Words, at = 0): number {
  for (let word = 0; word < a.length; word++) {
    const difference = a[word] - b[at + word];
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The shortest prefix whose whole network around `address` lies in the range at `at`. */
function prefixWithin(address: Uint32Array, firsts: Uint32Array, lasts: Uint32Array, at: number): number {
  const bits = 32 * address.length;
  // No prefix that is shorter than what both ends share can hold: begin there.
  let prefix = 0;
  for (let word = 0; word < address.length; word++) {
    const shared = Math.clz32(firsts[at + word] ^ lasts[at + word]);
    prefix += shared;
    if (shared < 32) break;
  }
  while (prefix < bits && !isWithin(address, prefix, firsts, lasts, at)) prefix++;
  return prefix;
}

function isWithin(
  address: Uint32Array,
  prefix: number,
  firsts: Uint32Array,
  lasts: Uint32Array,
  at: number,
): boolean {
  let [isAbove, isBelow] = [false, false];
  for (let word = 0; word < address.length && !(isAbove && isBelow); word++) {
    const kept = Math.min(32, Math.max(0, prefix - 32 * word));
    // A shift by 32 would be one by 0 (ECMAScript §13.9.3).
    const hosts = kept === 32 ? 0 : 0xffffffff >>> kept;
    const [lowest, highest] = [(address[word] & ~hosts) >>> 0, (address[word] | hosts) >>> 0];
    if (!isAbove && lowest !== firsts[at + word]) {
      if (lowest < firsts[at + word]) return false;
      isAbove = true;
    }
    if (!isBelow && highest !== lasts[at + word]) {
      if (highest > lasts[at + word]) return false;
      isBelow = true;
    }
  }
  return true;
}

function justBefore(words: Words): number[] {
  const result = [...words];
  let word = result.length - 1;
  while (result[word] === 0) result[word--] = 0xffffffff;
  result[word]--;
  return result;
}

const wordAt = (bytes: Uint8Array, at: number) =>
  ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;

/** The words of an address. */
export function wordsOf({ bytes }: Address): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, word) => wordAt(bytes, 4 * word));
}
