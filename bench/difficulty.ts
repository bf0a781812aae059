/** Tries a second of somebody who solves, and where the figure is from. */
export type Rate = { who: string; triesPerSec: number; source: 'measured' | 'assumed' };

/** Rounded medians of `npm run bench` (bench/results/), one Zen 5 core at about 3.7 GHz; the rest as ratios to them. */
const OURS = 17e6;

/** Visitors. A device's rate is that of all its workers together. */
export const VISITORS: readonly Rate[] = [
  {
    who: 'cheap phone: 4 workers, each a fifteenth of the measured thread',
    triesPerSec: (4 * OURS) / 15,
    source: 'assumed',
  },
  { who: 'phone of the middle: 8 workers, each a sixth', triesPerSec: (8 * OURS) / 6, source: 'assumed' },
  { who: 'one thread, JavaScript where Wasm is refused', triesPerSec: 8e6, source: 'measured' },
  { who: 'one thread, four lanes', triesPerSec: OURS, source: 'measured' },
  { who: 'laptop: 8 workers, each two thirds', triesPerSec: (8 * OURS * 2) / 3, source: 'assumed' },
];

/** What one core of an attacker does with a compiler. */
export const ATTACKERS: readonly Rate[] = [
  { who: 'Node, `crypto.hash` in a loop', triesPerSec: 1e6, source: 'measured' },
  { who: 'OpenSSL, Init, Update, Final', triesPerSec: 19e6, source: 'measured' },
  { who: 'C, AVX2', triesPerSec: 31e6, source: 'measured' },
  { who: 'C, SHA instructions', triesPerSec: 56e6, source: 'measured' },
  { who: 'C, AVX-512', triesPerSec: 83e6, source: 'measured' },
];

export const BITS: readonly number[] = [16, 17, 18, 19, 20, 21, 22, 23, 24];

/** Mean seconds for one passport, a row a visitor. Half of all solves take less than 0.7 of the mean, 5 % over three times. */
export const visitorTable = () => table(VISITORS, 1);

/** Mean processor seconds for 1,000 passports, a row an attacker's core. */
export const attackerTable = () => table(ATTACKERS, 1000);

function table(rates: readonly Rate[], passports: number): string {
  const head = `| | MH/s | ${BITS.map((bits) => `${bits} bits`).join(' | ')} |`;
  const rule = `|---|---${'|---'.repeat(BITS.length)}|`;
  const rows = rates.map(({ who, triesPerSec, source }) => {
    const cells = BITS.map((bits) => short((passports * 2 ** bits) / triesPerSec));
    const rate = `${short(triesPerSec / 1e6)}${source === 'assumed' ? ' (assumed)' : ''}`;
    return `| ${who} | ${rate} | ${cells.join(' | ')} |`;
  });
  return [head, rule, ...rows].join('\n');
}

/** Two figures are what the assumptions are worth. */
function short(value: number): string {
  const rounded = Number(value.toPrecision(2));
  return rounded >= 100 ? Math.round(rounded).toLocaleString('en-GB') : String(rounded);
}
