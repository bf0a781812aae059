/**
 * Growth, with generated pages (bench/generated-pages.ts), as Markdown tables:
 *
 *     node bench/search-growth.ts [--folder FOLDER] [PAGES …]     one site, by default of 10⁴, 10⁵ and 10⁶ pages
 *     node bench/search-growth.ts [--folder FOLDER] --sites N     N sites of 100 pages in one environment
 *
 * Each step runs in a fresh process. With `--folder` the store and the figures stay there: what was cut off goes on where
 * it was, and sizes that were measured are not measured again; the two kinds want a folder each.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { KINDS } from './generated-pages.ts';
import { readProvenance } from './machine.ts';
import { startServer } from './server-process.ts';
import { fitExponent, median } from './statistics.ts';

// The types of the steps alone: the module itself is a program.
type Filled = import('./growth-steps.ts').Filled;
type Memory = import('./growth-steps.ts').Memory;
type Asked = import('./growth-steps.ts').Asked;
type AskedSites = import('./growth-steps.ts').AskedSites;
type Point = Asked & { pagesPerSecond: number | null };

const STEPS = fileURLToPath(new URL('growth-steps.ts', import.meta.url));
const GATEHOUSE = fileURLToPath(new URL('../server/gatehouse.mjs', import.meta.url));
const STARTS = 5;
const MOST_OUTPUT = 1_048_576;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string' }, sites: { type: 'string' } },
});
const numbers = (values.sites === undefined ? positionals : [values.sites]).map(Number);
if (numbers.some((number) => !Number.isSafeInteger(number) || number < 1)) {
  console.error('search-growth: expected numbers of pages, or --sites with a number of sites');
  process.exit(2);
}
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
mkdirSync(folder, { recursive: true });
try {
  if (values.sites === undefined) await measurePages(numbers.length > 0 ? numbers : [1e4, 1e5, 1e6]);
  else await measureSites(numbers[0]);
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}

async function measurePages(sizes: number[]): Promise<void> {
  const kept = join(folder, 'growth.json');
  const points: Point[] = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : [];
  for (const size of sizes.toSorted((a, b) => a - b)) {
    if (points.some(({ pages }) => pages === size)) continue;
    const { done, perSecond } = await runStep<Filled>('fill', size);
    if (done !== size) throw new Error(`${folder} holds ${done} pages already: take another folder`);
    points.push({ ...(await runStep<Asked>('ask', size)), pagesPerSecond: perSecond });
    points.sort((a, b) => a.pages - b.pages);
    writeFileSync(kept, JSON.stringify(points, null, 2));
    console.error(`${size} pages measured`);
  }
  const shown = points.filter(({ pages }) => sizes.includes(pages));
  const exponentOf = (value: (point: Point) => number) =>
    shown.length < 2
      ? ''
      : fitExponent(
          shown.map(({ pages }) => pages),
          shown.map(value),
        ).toFixed(2);
  const row = (name: string, show: (point: Point) => string, exponent = '') => [
    name,
    ...shown.map(show),
    exponent,
  ];
  printTable([
    ['', ...shown.map(({ pages }) => `${whole(pages)} pages`), 'exponent of the median'],
    ...KINDS.map((kind) =>
      row(
        `${kind}, p50 / p99 ms`,
        ({ kinds }) => `${kinds[kind].p50.toFixed(2)} / ${kinds[kind].p99.toFixed(2)}`,
        exponentOf(({ kinds }) => kinds[kind].p50),
      ),
    ),
    row('queries that found something, of 300', ({ kinds }) =>
      KINDS.map((kind) => kinds[kind].found).join(' · '),
    ),
    row('memory of the process, MiB', ({ before, after }) => memoryCell(before, after, 'anonymousBytes')),
    row('of the file in memory, MiB', ({ before, after }) => memoryCell(before, after, 'fileBytes')),
    row(
      'file, MiB',
      ({ storeBytes }) => mebibytes(storeBytes),
      exponentOf(({ storeBytes }) => storeBytes),
    ),
    row('pages/s up to there', ({ pagesPerSecond }) =>
      pagesPerSecond === null ? '–' : whole(pagesPerSecond),
    ),
  ]);
}

async function measureSites(sites: number): Promise<void> {
  const { perSecond } = await runStep<Filled>('fill-sites', sites);
  const asked = await runStep<AskedSites>('ask-sites', sites);
  const [filledMs, emptyMs] = await measureStarts();
  const show = ({ p50, p99 }: { p50: number; p99: number }) => `${p50.toFixed(2)} / ${p99.toFixed(2)}`;
  printTable([
    [`${whole(sites)} sites of 100 pages in one environment`, ''],
    ['first query of a site, p50 / p99 ms', show(asked.first)],
    ['second, another word', show(asked.second)],
    ['queries that found something', `${asked.first.found} · ${asked.second.found}`],
    [
      'memory of the process, MiB, before → after all of them',
      memoryCell(asked.before, asked.after, 'anonymousBytes'),
    ],
    ['of the file in memory, MiB', memoryCell(asked.before, asked.after, 'fileBytes')],
    ['opening the environment, ms', asked.openMs.toFixed(1)],
    [
      'start of the server until it listens, ms, beside an empty one',
      `${whole(filledMs)} / ${whole(emptyMs)}`,
    ],
    ['file, MiB', mebibytes(asked.storeBytes)],
    ['pages/s', perSecond === null ? '–' : whole(perSecond)],
  ]);
}

/** Medians of starts on the folder and on an empty one, in turns. */
async function measureStarts(): Promise<[number, number]> {
  const empty = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const times: Record<string, number[]> = { [folder]: [], [empty]: [] };
  try {
    // The first start makes keys.
    for (let round = 0; round <= STARTS; round++) {
      for (const dataDir of round % 2 === 0 ? [folder, empty] : [empty, folder]) {
        const env = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
        const startMs = performance.now();
        const server = await startServer(GATEHOUSE, ['serve'], env);
        if (round > 0) times[dataDir].push(performance.now() - startMs);
        await server.stop();
      }
    }
    return [median(times[folder]), median(times[empty])];
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

async function runStep<Result>(step: string, number: number): Promise<Result> {
  const { stdout } = await promisify(execFile)(process.execPath, [STEPS, step, folder, String(number)], {
    maxBuffer: MOST_OUTPUT,
  });
  return JSON.parse(stdout);
}

function printTable(rows: readonly string[][]): void {
  const [head, ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  const { cpu, cores, node, commit, isChanged, load } = readProvenance();
  console.log(`${head}\n|${rows[0].map(() => '---').join('|')}|\n${body.join('\n')}\n`);
  console.log(
    `${cpu}, ${cores} cores, Node ${node}, load ${load}, commit ${commit.slice(0, 12)}${isChanged ? ' with changes' : ''}`,
  );
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-GB');
}

function memoryCell(before: Memory, after: Memory, of: keyof Memory): string {
  return `${mebibytes(before[of])} → ${mebibytes(after[of])}`;
}
