import type { Series } from '../../wire/console.ts';

/** What is counted in a slot. */
export type Counted = 'issued' | 'solved' | 'refused' | 'admitted' | 'lookups';
const COUNTED: readonly Counted[] = ['issued', 'solved', 'refused', 'admitted', 'lookups'];

export type Slots = {
  count(what: Counted, nowMs: number): void;
  /** Counts a challenge and its bits. */
  countBits(bits: number, nowMs: number): void;
  read(nowMs: number): Series;
};

// One row a slot: its number since the epoch, the counts, the sum of bits and the highest.
const SUM_AT = COUNTED.length;
const MOST_AT = SUM_AT + 1;
const ROW = MOST_AT + 1;
const EMPTY = new Float64Array(ROW);

/** The last `length` spans of `stepSecs`, in memory that never grows. A slot whose number is not its turn's is empty. */
export function createSlots(stepSecs: number, length: number): Slots {
  const numbers = new Float64Array(length).fill(-1);
  const rows = new Float64Array(length * ROW);
  const numberAt = (nowMs: number) => Math.floor(nowMs / 1000 / stepSecs);

  /** Where the slot of now begins in `rows`, emptied if it held an older span. */
  function rowAt(nowMs: number): number {
    const number = numberAt(nowMs);
    const at = number % length;
    if (numbers[at] !== number) {
      numbers[at] = number;
      rows.fill(0, at * ROW, (at + 1) * ROW);
    }
    return at * ROW;
  }

  /** The row of a slot, or one of zeros where that span is not what it holds. */
  function rowOf(number: number): Float64Array {
    const at = ((number % length) + length) % length;
    return numbers[at] === number ? rows.subarray(at * ROW, (at + 1) * ROW) : EMPTY;
  }

  return {
    count(what, nowMs) {
      rows[rowAt(nowMs) + COUNTED.indexOf(what)]++;
    },
    countBits(bits, nowMs) {
      const row = rowAt(nowMs);
      rows[row + COUNTED.indexOf('issued')]++;
      rows[row + SUM_AT] += bits;
      rows[row + MOST_AT] = Math.max(rows[row + MOST_AT], bits);
    },
    read(nowMs) {
      const last = numberAt(nowMs);
      const read = Array.from({ length }, (_, i) => rowOf(last - length + 1 + i));
      const column = (what: Counted) => read.map((row) => row[COUNTED.indexOf(what)]);
      const issued = column('issued');
      const ofIssued = (value: (row: Float64Array) => number) =>
        read.map((row, i) => (issued[i] > 0 ? Number(value(row).toFixed(2)) : null));
      return {
        stepSecs,
        endSecs: (last + 1) * stepSecs,
        issued,
        solved: column('solved'),
        refused: column('refused'),
        admitted: column('admitted'),
        lookups: column('lookups'),
        meanBits: ofIssued((row) => row[SUM_AT] / row[COUNTED.indexOf('issued')]),
        mostBits: ofIssued((row) => row[MOST_AT]),
      };
    },
  };
}
