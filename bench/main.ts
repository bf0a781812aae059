import { gateCoreOperations } from './gate-core.ts';
import { measureGateHttp } from './gate-http.ts';
import { ipCoreOperations } from './ip-core.ts';
import { measureIpHttp } from './ip-http.ts';
import { readProvenance } from './machine.ts';
import { sampleOperation } from './operation.ts';
import { writeResults } from './results.ts';
import { type Row, runRounds } from './rounds.ts';
import { formatTable } from './table.ts';

type Benchmark = { title: string; measure(): Promise<Row[]> };

/** Every benchmark by its name on the command line. The whole takes less than two minutes. */
const BENCHMARKS: Record<string, Benchmark> = {
  'gate-core': {
    title: 'gate-core: operations of the gate, one thread, 9 rounds of 120 ms',
    measure: () =>
      runRounds(
        gateCoreOperations().map((operation) => ({
          ...operation,
          sample: () => sampleOperation(operation, 120),
        })),
        9,
      ),
  },
  'gate-http': {
    title: 'gate-http: requests over loopback, 32 in flight, 2 × 4 rounds of 1 s',
    measure: () => measureGateHttp({ generations: 2, rounds: 4, sampleMs: 1000 }),
  },
  'ip-core': {
    title: 'ip-core: look-ups of addresses, one thread, 9 rounds of 300 ms',
    measure: async () => {
      const operations = await ipCoreOperations();
      return runRounds(
        operations.map((operation) => ({ ...operation, sample: () => sampleOperation(operation, 300) })),
        9,
      );
    },
  },
  'ip-http': {
    title: 'ip-http: requests over loopback, 32 in flight, 6 rounds of 1 s',
    measure: () => measureIpHttp({ rounds: 6, sampleMs: 1000 }),
  },
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHMARKS);
const unknown = names.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0) {
  console.error(`bench: expected ${Object.keys(BENCHMARKS).join(' or ')}, got ${unknown.join(', ')}`);
  process.exit(2);
}

const provenance = readProvenance();
const done: { title: string; rows: Row[] }[] = [];
for (const name of names) {
  const { title, measure } = BENCHMARKS[name];
  console.error(`${name} …`);
  try {
    const rows = await measure();
    writeResults(new URL(`results/${name}.json`, import.meta.url), title, provenance, rows);
    done.push({ title, rows });
  } catch (error) {
    console.error(`bench: ${name} failed: ${(error as Error).message}`);
    process.exit(1);
  }
}

const { cpu, cores, node, commit, isChanged, load } = provenance;
console.log(`${formatTable(done)}

Medians of the rounds; a ratio is taken round by round. Raw samples: bench/results/.
${cpu}, ${cores} cores, Node ${node}, load ${load}, commit ${commit.slice(0, 12)}${isChanged ? ' with changes' : ''}`);
