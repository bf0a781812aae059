import { readOrder, Usage } from './command-line.ts';
import { compareTrees } from './compare.ts';
import { GROUPS } from './groups.ts';
import { readProvenance } from './machine.ts';
import { writeResults } from './results.ts';
import type { Row } from './rounds.ts';
import { formatTable } from './table.ts';

const QUICK_SHARE = 0.3;
const COMPARED_TURNS = 6;

type Done = { title: string; rows: Row[]; notes: string[] };

const order = readOrderOrEnd();
if (order.isReadme) {
  // Read only now: a run must not need the results of the one before.
  const { writeFigures } = await import('./written-figures.ts');
  console.log(`written: ${writeFigures().join(', ')}`);
  process.exit(0);
}
const provenance = readProvenance();
const done = order.compareWith === null ? await measureHere() : await compare(order.compareWith);

if (order.isJson) {
  process.stdout.write(JSON.stringify(done.flatMap(({ rows }) => rows)));
} else {
  const { cpu, cores, node, commit, isChanged, load } = provenance;
  console.log(`${formatTable(done)}

Medians of the rounds; a ratio is taken round by round. Raw samples: bench/results/; --readme writes them into the pages.
${cpu}, ${cores} cores, Node ${node}, load ${load}, commit ${commit.slice(0, 12)}${isChanged ? ' with changes' : ''}`);
}

function readOrderOrEnd() {
  try {
    return readOrder(process.argv.slice(2), GROUPS);
  } catch (error) {
    if (!(error instanceof Usage)) throw error;
    (error.isFault ? console.error : console.log)(error.isFault ? `bench: ${error.message}` : error.message);
    process.exit(error.isFault ? 2 : 0);
  }
}

/** Every group in turn; one that fails is told, and the others go on. */
async function measureHere(): Promise<Done[]> {
  const effort = {
    share: order.isQuick ? QUICK_SHARE : 1,
    isOwnOnly: order.isOwnOnly,
    collection: order.collection,
  };
  const isKept = !order.isQuick && !order.isOwnOnly && !order.isJson && order.collection === null;
  const measured: Done[] = [];
  for (const name of order.groups) {
    const { title, measure } = GROUPS[name];
    const startedMs = performance.now();
    try {
      const { rows, notes } = await measure(effort);
      if (isKept) {
        writeResults(name, title, provenance, rows, notes);
      }
      measured.push({ title, rows, notes });
      console.error(`${name}: ${Math.round((performance.now() - startedMs) / 1000)} s`);
    } catch (error) {
      console.error(`bench: ${name} failed: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  }
  return measured;
}

async function compare(commit: string): Promise<Done[]> {
  try {
    const turns = order.isQuick ? 2 : COMPARED_TURNS;
    const rows = await compareTrees(order.groups, commit, turns);
    return [{ title: `this tree beside ${commit}, ${turns} turns`, rows, notes: [] }];
  } catch (error) {
    console.error(`bench: the comparison failed: ${(error as Error).message}`);
    process.exit(1);
  }
}
