import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { monotonicSecs } from '../base/system.ts';

type Declared = {
  kind: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** Label to what it may be: never anything that a client chooses. */
  labels: Record<string, string>;
  /** Upper bounds of a histogram, in its unit. */
  buckets?: readonly number[];
};

const ROUTE_ID = 'id of a gated route, `any` where none is named';

/** Every metric of our own, beside those of the process. The table of docs/metrics.md is made from this one. */
export const METRICS = {
  gatehouse_http_requests_total: {
    kind: 'counter',
    help: 'requests answered',
    labels: {
      method: 'one of the nine standard methods, or `other`',
      route: 'the pattern that took it, `/pow/assets/*`, or `other`',
      status: '`2xx` and so on',
    },
  },
  gatehouse_http_request_seconds: {
    kind: 'histogram',
    help: 'from the head of a request to the end of its handling; a stream goes on after that',
    labels: { route: 'as above' },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  },
  gatehouse_challenges_issued_total: {
    kind: 'counter',
    help: 'challenges handed out, solved or not',
    labels: {
      route: ROUTE_ID,
      tier: '`public`, `pro`, `enterprise`',
      rebinding: '`yes` for the cheaper ones of roaming visitors, else `no`',
    },
  },
  gatehouse_challenges_solved_total: {
    kind: 'counter',
    help: 'proofs that held and were spent; repeats do not count again',
    labels: { bits: '1 to 32', rebinding: 'as above' },
  },
  gatehouse_solve_seconds: {
    kind: 'histogram',
    help: 'from the issue of a challenge to its proof, in whole seconds, waiting and travelling included',
    labels: { bits: '1 to 32' },
    buckets: [0, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 3_600],
  },
  gatehouse_refused_total: {
    kind: 'counter',
    help: 'refusals of the gate, of passports redeemed and of what siteverify was asked',
    labels: { route: ROUTE_ID, code: 'one of docs/errors.md' },
  },
  gatehouse_admitted_total: {
    kind: 'counter',
    help: 'visits let in at gated routes',
    labels: {
      route: ROUTE_ID,
      how: '`passport`, `request`, `exempt`, `verdict`, `verified-bot`, `dry-run`',
    },
  },
  gatehouse_load_extra_bits: {
    kind: 'gauge',
    help: 'bits that load adds to new challenges',
    labels: {},
  },
  gatehouse_load_pressure: {
    kind: 'gauge',
    help: 'paid work against the limits of the policy; the price rises from 1',
    labels: {},
  },
  gatehouse_chat_requests_total: {
    kind: 'counter',
    help: 'requests to models that were answered, or refused by their providers',
    labels: {
      model: 'a name of CHAT_CONFIG, or `echo`',
      form: '`openai`, `anthropic`: what the client speaks',
      outcome:
        '`answered`, `broken` where a stream was cut, `left` where the client went, or a code of docs/errors.md',
    },
  },
  gatehouse_chat_tokens_total: {
    kind: 'counter',
    help: 'tokens, as far as providers tell',
    labels: { model: 'as above', direction: '`input`, `output`' },
  },
  gatehouse_spent_seconds: {
    kind: 'histogram',
    help: 'how long the store took to spend a challenge',
    labels: { result: '`first`, `again` where it was spent before, `failed`' },
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
  },
} as const satisfies Record<string, Declared>;

type Name = keyof typeof METRICS;
type NameOf<Kind> = { [N in Name]: (typeof METRICS)[N]['kind'] extends Kind ? N : never }[Name];
type Labels<N extends Name> = Record<keyof (typeof METRICS)[N]['labels'], string | number>;

/** The counters of this process. The one place that knows the library which writes them out. */
export type Metrics = {
  count<N extends NameOf<'counter'>>(name: N, labels: Labels<N>, by?: number): void;
  observe<N extends NameOf<'histogram'>>(name: N, labels: Labels<N>, value: number): void;
  /** Starts to time; what it gives ends it and observes the seconds. */
  time<N extends NameOf<'histogram'>>(name: N): (labels: Labels<N>) => void;
  /** Reads a value whenever the metrics are read. */
  watch(name: NameOf<'gauge'>, read: () => number): void;
  /** Adds what Node tells of the process: memory, processor time, garbage collection, delay of the event loop. */
  watchProcess(): void;
  /** In the text format of Prometheus, version 0.0.4. */
  write(): Promise<string>;
  readonly contentType: string;
};

// What the library is handed at a time. Our choice: a tenth of a millisecond's work.
const MOST_WAITING = 256;

/**
 * A registry of its own with everything that is declared above.
 * @param join makes of the registry what writes out those of all workers; left out where this process is alone
 */
export function createMetrics(join?: (registry: Registry) => () => Promise<string>): Metrics {
  const registry = new Registry();
  // The library takes a microsecond and a half to find a metric by its labels among all else that a request does, and a
  // fifth of that where many come in a row: so they wait, at most until somebody reads.
  let waiting: (() => void)[] = [];
  function settle(): void {
    const settled = waiting;
    waiting = [];
    for (const count of settled) count();
  }
  // What the library would refuse is refused here, to whoever counts it: later it would take a stranger's request with it,
  // and all counts that waited behind.
  function wait(value: number, count: () => void): void {
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`a metric: expected a number from 0 on, got ${value}`);
    }
    if (waiting.push(count) >= MOST_WAITING) settle();
  }
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  for (const [name, { kind, help, labels, buckets = [] }] of Object.entries<Declared>(METRICS)) {
    const options = { name, help, labelNames: Object.keys(labels), registers: [registry], collect: settle };
    if (kind === 'counter') counters.set(name, new Counter(options));
    if (kind === 'histogram') histograms.set(name, new Histogram({ ...options, buckets: [...buckets] }));
  }
  const counter = (name: string) => counters.get(name) as Counter;
  const observe: Metrics['observe'] = (name, labels, value) => {
    const histogram = histograms.get(name) as Histogram;
    wait(value, () => histogram.observe(labels, value));
  };

  return {
    count: (name, labels, by = 1) => wait(by, () => counter(name).inc(labels, by)),
    observe,
    time: (name) => {
      const startedSecs = monotonicSecs();
      return (labels) => observe(name, labels, monotonicSecs() - startedSecs);
    },
    watch(name, read) {
      new Gauge({
        name,
        help: METRICS[name].help,
        registers: [registry],
        // Of several workers the one that is under the heaviest load; their sum would be nobody's.
        aggregator: 'max',
        collect() {
          this.set(read());
        },
      });
    },
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    write: join ? join(registry) : () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** The table of docs/metrics.md: name, kind, meaning, labels. */
export function metricsTable(): string {
  const rows = Object.entries<Declared>(METRICS).map(([name, { kind, help, labels }]) => {
    const told = Object.entries(labels).map(([label, meaning]) => `\`${label}\`: ${meaning}`);
    return `| \`${name}\` | ${kind} | ${help} | ${told.join('; ') || 'none'} |`;
  });
  return ['| name | kind | meaning | labels |', '|---|---|---|---|', ...rows].join('\n');
}
