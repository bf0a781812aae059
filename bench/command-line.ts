import { parseArgs } from 'node:util';

/** What the benchmark is asked to do. */
export type Order = {
  groups: string[];
  isQuick: boolean;
  /** A commit to measure this tree against, or null. */
  compareWith: string | null;
  /** Leaves the peers out. */
  isOwnOnly: boolean;
  /** Pages for `crawl`, gzipped lines of `title` and `text`, or null for those that it makes. */
  collection: string | null;
  /** Gives the rows as JSON, for the run that compares. */
  isJson: boolean;
  /** Measures nothing, but writes the tables of the pages from the kept results. */
  isReadme: boolean;
};

/** A line of help or a fault, to be shown in place of a run. */
export class Usage extends Error {
  readonly isFault: boolean;
  constructor(text: string, isFault: boolean) {
    super(text);
    this.isFault = isFault;
  }
}

/** @throws Usage for --help and for what is not understood */
export function readOrder(
  args: readonly string[],
  known: Readonly<Record<string, { title: string }>>,
): Order {
  const names = Object.keys(known);
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        compare: { type: 'string' },
        own: { type: 'boolean', default: false },
        collection: { type: 'string' },
        json: { type: 'boolean', default: false },
        readme: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) throw new Usage(helpText(known), false);
    const unknown = positionals.filter((name) => !names.includes(name));
    if (unknown.length > 0) {
      throw new Usage(`expected ${names.join(', ')}, got ${unknown.join(', ')} (--help says more)`, true);
    }
    if (values.collection === '') throw new Usage('--collection: expected a file, got nothing', true);
    if (values.compare === '') throw new Usage('--compare: expected a commit, got nothing', true);
    return {
      groups: positionals.length > 0 ? names.filter((name) => positionals.includes(name)) : names,
      isQuick: values.quick,
      compareWith: values.compare ?? null,
      isOwnOnly: values.own,
      collection: values.collection ?? null,
      isJson: values.json,
      isReadme: values.readme,
    };
  } catch (error) {
    if (error instanceof Usage) throw error;
    throw new Usage((error as Error).message, true);
  }
}

function helpText(known: Readonly<Record<string, { title: string }>>): string {
  return `npm run bench -- [group …] [--quick] [--compare COMMIT]

Measures in turns, checks every answer, and keeps the raw samples in bench/results/.

${Object.values(known)
  .map(({ title }) => `  ${title}`)
  .join('\n')}

  --quick           a few rounds of each: shows that it runs; nothing is kept
  --compare COMMIT  this tree beside another commit in turns, by the same benchmark; nothing is kept
  --own             our own solvers, without the peers; nothing is kept
  --collection FILE pages for crawl: gzipped lines of JSON with title and text; nothing is kept
  --json            rows as JSON on standard output; nothing is kept
  --readme          measures nothing: writes the tables of README.md and docs/difficulty.md from bench/results/`;
}
