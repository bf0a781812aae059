import { roundedRate } from './figure-tables.ts';
import { readResults } from './results.ts';

/** Tries a second of somebody who solves, and where the figure is from. */
export type Rate = { who: string; triesPerSec: number; source: 'measured' | 'assumed' };

const [solver, chromium, native] = ['solver', 'chromium', 'native'].map(readResults);
const OURS = roundedRate(chromium, 'ours, four lanes');

/** Visitors: what Chromium did on one core, and devices as ratios to that. A device's rate is that of all its workers. */
export const VISITORS: readonly Rate[] = [
  {
    who: 'cheap phone: 4 workers, each a fifteenth of the measured thread',
    triesPerSec: (4 * OURS) / 15,
    source: 'assumed',
  },
  { who: 'phone of the middle: 8 workers, each a sixth', triesPerSec: (8 * OURS) / 6, source: 'assumed' },
  {
    who: 'one thread, JavaScript where Wasm is refused',
    triesPerSec: roundedRate(chromium, 'ours, JavaScript'),
    source: 'measured',
  },
  { who: 'one thread, four lanes', triesPerSec: OURS, source: 'measured' },
  { who: 'laptop: 8 workers, each two thirds', triesPerSec: (8 * OURS * 2) / 3, source: 'assumed' },
];

/** What one core of an attacker does with a compiler. */
export const ATTACKERS: readonly Rate[] = [
  {
    who: 'Node, `crypto.hash` in a loop',
    triesPerSec: roundedRate(solver, 'OpenSSL, crypto.hash'),
    source: 'measured',
  },
  ...[
    ['OpenSSL, Init, Update, Final', 'C, OpenSSL Init'],
    ['C, AVX2', 'C, 8 lanes of AVX2'],
    ['C, SHA instructions', 'C, SHA instructions'],
    ['C, AVX-512', 'C, 16 lanes of AVX-512'],
  ].map(([who, row]): Rate => ({ who, triesPerSec: roundedRate(native, row), source: 'measured' })),
];

export const BITS: readonly number[] = [16, 17, 18, 19, 20, 21, 22, 23, 24];

/** Mean seconds for one passport, a row a visitor. Half of all solves take less than 0.7 of the mean, 5 % over three times. */
export const visitorTable = () => table('a visitor', VISITORS, 1);

/** Mean processor seconds for 1,000 passports, a row an attacker's core. */
export const attackerTable = () => table("an attacker's core", ATTACKERS, 1000);

function table(of: string, rates: readonly Rate[], passports: number): string {
  const head = `| ${of} | MH/s | ${BITS.map((bits) => `${bits} bits`).join(' | ')} |`;
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
