/** Fields of a page, in the order of their bits and bytes in the index. */
export const FIELDS = ['title', 'headings', 'body', 'url', 'labels'] as const;
export const FIELD_COUNT = FIELDS.length;
export const BODY = 2;

const EXACT = 40;
const STEPS_PER_DOUBLING = 16;

/** The length of a field in words as one byte: exact up to 40, then in steps of 4.4%. */
export function lengthToNorm(words: number): number {
  if (words <= EXACT) return words;
  return Math.min(255, EXACT + Math.round(Math.log2(words / EXACT) * STEPS_PER_DOUBLING));
}

const LENGTHS = Float64Array.from({ length: 256 }, (_, norm) =>
  norm <= EXACT ? norm : EXACT * 2 ** ((norm - EXACT) / STEPS_PER_DOUBLING),
);

export const normToLength = (norm: number): number => LENGTHS[norm];
