import { type Dialect, javascript, scalar, simd } from './dialects.ts';
import { bigSigma0, bigSigma1, ch, smallSigma0, smallSigma1 } from './functions.ts';
import { INITIAL_STATE, ROUND_CONSTANTS } from './round-constants.ts';
import * as slots from './slots.ts';

/** The files that are generated. AssemblyScript has no macros, and a rolled loop is half as fast. */
export const GENERATED: readonly { path: string; text: string }[] = [
  ...[simd, scalar, javascript].map((dialect) => ({ path: dialect.path, text: firstWordFunction(dialect) })),
  { path: 'assembly/generated/constants.ts', text: constantTables() },
];

/**
 * The source of a function that gives word 0 of one try's digest, unrolled (FIPS 180-4 §6.2.2).
 *
 * It starts in round 9 from the fixed part (slots.ts says what that is and why), and leaves out what only the
 * other seven words of the digest need. The names are those of the standard with the round behind them: `a`…`h` of
 * round t are a[t], a[t-1], a[t-2], a[t-3], e[t], e[t-1], e[t-2], e[t-3].
 *
 * The order of the statements is the order of the machine code, and is worth a fifth of the speed: what the next round
 * waits for comes first, and the schedule, which nobody waits for, fills the gaps.
 */
function firstWordFunction(dialect: Dialect): string {
  const { add, xor, slot, constant } = dialect;
  const lines = [
    `a6 = ${slot(slots.SLOT_A6)}`,
    `a7 = ${slot(slots.SLOT_A7)}`,
    `a8 = ${slot(slots.SLOT_A8)}`,
    `a9 = ${add(slot(slots.SLOT_A9), 'w8')}`,
    `e7 = ${slot(slots.SLOT_E7)}`,
    `e8 = ${slot(slots.SLOT_E8)}`,
    `e9 = ${add(slot(slots.SLOT_E9), 'w8')}`,
    `x8 = ${xor('a8', 'a7')}`,
  ];
  let nextWord = slots.FIRST_VARYING_WORD;
  for (let t = slots.FIRST_FIXED_ROUND; t < 64; t++) {
    for (; nextWord <= lastWordDue(dialect, t); nextWord++) {
      lines.push(`w${nextWord} = ${add(...scheduleTerms(dialect, nextWord))}`);
    }
    lines.push(...roundStatements(dialect, t));
  }
  const body = lines.map((line) => `  const ${line};`).join('\n');
  return `${dialect.opening}\n${body}\n  return ${add('a64', constant(INITIAL_STATE[0]))};\n}\n`;
}

/** The last word of the schedule that is computed before round t. */
function lastWordDue({ isWide }: Dialect, t: number): number {
  if (!isWide) return t;
  // Evenly over all rounds, though none is needed before round 23: the lanes' units would idle in the first rounds,
  // where each waits for the one before, and be short of time in the others.
  const words = 64 - slots.FIRST_VARYING_WORD;
  const rounds = 64 - slots.FIRST_FIXED_ROUND;
  const passed = t - slots.FIRST_FIXED_ROUND;
  return Math.min(
    63,
    Math.max(t, slots.FIRST_VARYING_WORD - 1 + Math.floor((passed * (words + 3)) / rounds)),
  );
}

/** Round t, §6.2.2 step 3: T1 = h + Σ1(e) + Ch(e, f, g) + K[t] + W[t], T2 = Σ0(a) + Maj(a, b, c), e = d + T1, a = T1 + T2. */
function roundStatements(dialect: Dialect, t: number): string[] {
  const { add, sub, xor, and, slot, roundConstant, isWide } = dialect;
  const known = t >= slots.FIRST_VARYING_WORD ? [roundConstant(t, ROUND_CONSTANTS[t]), `w${t}`] : [slot(t)];
  if (t >= slots.FIRST_ROUND_WITH_VARYING_H) known.push(`e${t - 3}`);
  const d = `a${t - 3}`;
  // What is known longest is added first, Σ1 last: its result takes longest after e.
  const late = [ch(dialect, `e${t}`, `e${t - 1}`, `e${t - 2}`), bigSigma1(dialect, `e${t}`)];
  // Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c)), and b ^ c is the a ^ b of the round before.
  const x = `x${t} = ${xor(`a${t}`, `a${t - 1}`)}`;
  const majority = xor(`a${t - 1}`, and(`x${t}`, `x${t - 1}`));
  if (isWide && t < 63) {
    // Not by way of T1, but a = e + (Maj - d) + Σ0: a subtraction more, and e is there an addition sooner. An
    // operation on lanes takes two cycles on Zen 5, and four can start in one.
    return [
      `e${t + 1} = ${add(...known, d, ...late)}`,
      x,
      `a${t + 1} = ${add(`e${t + 1}`, sub(majority, d), bigSigma0(dialect, `a${t}`))}`,
    ];
  }
  return [
    `t${t} = ${add(...known, ...late)}`,
    ...(t < 63 ? [`e${t + 1} = ${add(d, `t${t}`)}`] : []), // no e is needed after the last round
    x,
    `a${t + 1} = ${add(`t${t}`, bigSigma0(dialect, `a${t}`), majority)}`,
  ];
}

/** W[t] = σ1(W[t-2]) + W[t-7] + σ0(W[t-15]) + W[t-16], its constant terms replaced by the share in slot t. */
function scheduleTerms(dialect: Dialect, t: number): string[] {
  const varies = (index: number) => index === slots.VARYING_WORD || index >= slots.FIRST_VARYING_WORD;
  const terms: string[] = [];
  if (t < slots.FIRST_WORD_WITHOUT_SHARE) terms.push(dialect.slot(t));
  if (varies(t - 16)) terms.push(`w${t - 16}`);
  if (varies(t - 15)) terms.push(smallSigma0(dialect, `w${t - 15}`));
  if (varies(t - 7)) terms.push(`w${t - 7}`);
  if (varies(t - 2)) terms.push(smallSigma1(dialect, `w${t - 2}`));
  return terms;
}

/** K and H⁽⁰⁾ as static memory, since asc cannot compile the arrays of round-constants.ts without a runtime. */
function constantTables(): string {
  const hex = (word: number) => `0x${word.toString(16).padStart(8, '0')},`;
  const row = (words: readonly number[]) => `  ${words.map(hex).join(' ')}\n`;
  const table = (words: readonly number[]) =>
    words.flatMap((_, i) => (i % 8 === 0 ? [row(words.slice(i, i + 8))] : [])).join('');
  return `// Generated by assembly/generate.ts (npm run build:wasm): do not edit.
// biome-ignore-all format: generated

/** K, 64 words (FIPS 180-4 §4.2.2). */
export const ROUND_CONSTANTS = memory.data<u32>([
${table(ROUND_CONSTANTS)}]);

/** H(0), 8 words (FIPS 180-4 §5.3.3). */
export const INITIAL_STATE = memory.data<u32>([
${table(INITIAL_STATE)}]);
`;
}
