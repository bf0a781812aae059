import type { GateBody, Series } from '../../wire/console.ts';

/**
 * What several processes counted, as if one had: sums, means by their weights, the highest of what is highest. The price
 * under load is each process's own; the highest is told.
 */
export function joinGates(gates: readonly [GateBody, ...GateBody[]]): GateBody {
  const [first] = gates;
  const of = <Name extends 'totals' | 'lookups'>(name: Name) => sumMembers(gates.map((gate) => gate[name]));
  return {
    since: gates.map(({ since }) => since).toSorted()[0],
    processes: gates.reduce((sum, { processes }) => sum + processes, 0),
    totals: of('totals'),
    lookups: of('lookups'),
    refusedBy: joinCounts(gates.map(({ refusedBy }) => refusedBy)),
    admittedBy: joinCounts(gates.map(({ admittedBy }) => admittedBy)),
    issuedTo: joinCounts(gates.map(({ issuedTo }) => issuedTo)),
    routes: joinRoutes(gates),
    solveTimes: {
      edgesSecs: first.solveTimes.edgesSecs,
      groups: joinSolveTimes(gates),
    },
    load: {
      extraBits: Math.max(...gates.map(({ load }) => load.extraBits)),
      pressure: Math.max(...gates.map(({ load }) => load.pressure)),
    },
    hour: joinSeries(gates.map(({ hour }) => hour)),
    day: joinSeries(gates.map(({ day }) => day)),
  };
}

function sumMembers<Counts extends Record<string, number>>(all: readonly Counts[]): Counts {
  const names = Object.keys(all[0]) as (keyof Counts)[];
  return Object.fromEntries(
    names.map((name) => [name, all.reduce((sum, counts) => sum + counts[name], 0)]),
  ) as Counts;
}

type Count = GateBody['refusedBy'][number];

/** By name, the most frequent first. */
function joinCounts(all: readonly (readonly Count[])[]): Count[] {
  return group(all.flat(), ({ name }) => name)
    .map((same) => ({ name: same[0].name, count: same.reduce((sum, { count }) => sum + count, 0) }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

const joinRoutes = (gates: readonly GateBody[]): GateBody['routes'] =>
  group(
    gates.flatMap(({ routes }) => routes),
    ({ id }) => id,
  ).map((same) => ({
    ...same[0],
    // A worker that has read the policy anew may be the only one to know a route.
    bits: same.find(({ bits }) => bits !== null)?.bits ?? null,
    ...sumMembers(same.map(({ issued, refused, admitted }) => ({ issued, refused, admitted }))),
  }));

const joinSolveTimes = (gates: readonly GateBody[]): GateBody['solveTimes']['groups'] =>
  group(
    gates.flatMap(({ solveTimes }) => solveTimes.groups),
    ({ bits, solver }) => `${bits} ${solver}`,
  )
    .map((same) => {
      const counts = addColumns(same.map((one) => one.counts));
      const secs = same.reduce((sum, one) => sum + one.meanSecs * total(one.counts), 0);
      return { ...same[0], counts, meanSecs: secs / total(counts) };
    })
    .sort((a, b) => a.bits - b.bits || (a.solver < b.solver ? -1 : 1));

/** Spans are those of the clock, so that they lie over one another; one read a moment earlier may end a span before. */
function joinSeries(all: readonly Series[]): Series {
  const endSecs = Math.max(...all.map((series) => series.endSecs));
  const aligned = all.map((series) => align(series, endSecs));
  const sum = (name: 'issued' | 'solved' | 'refused' | 'admitted' | 'lookups') =>
    addColumns(aligned.map((series) => series[name]));
  const issued = sum('issued');
  const ofBits = (join: (at: number) => number) =>
    issued.map((count, at) => (count > 0 ? Number(join(at).toFixed(2)) : null));
  return {
    stepSecs: all[0].stepSecs,
    endSecs,
    issued,
    solved: sum('solved'),
    refused: sum('refused'),
    admitted: sum('admitted'),
    lookups: sum('lookups'),
    meanBits: ofBits(
      (at) =>
        aligned.reduce((bits, series) => bits + (series.meanBits[at] ?? 0) * series.issued[at], 0) /
        issued[at],
    ),
    mostBits: ofBits((at) => Math.max(...aligned.map(({ mostBits }) => mostBits[at] ?? 0))),
  };
}

function align(series: Series, endSecs: number): Series {
  const late = (endSecs - series.endSecs) / series.stepSecs;
  if (late === 0) return series;
  const shift = <Value>(values: readonly Value[], empty: Value) =>
    values.map((_, at) => values[at + late] ?? empty);
  return {
    ...series,
    endSecs,
    issued: shift(series.issued, 0),
    solved: shift(series.solved, 0),
    refused: shift(series.refused, 0),
    admitted: shift(series.admitted, 0),
    lookups: shift(series.lookups, 0),
    meanBits: shift(series.meanBits, null),
    mostBits: shift(series.mostBits, null),
  };
}

const addColumns = (all: readonly (readonly number[])[]): number[] =>
  all[0].map((_, at) => all.reduce((sum, column) => sum + column[at], 0));

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

function group<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = nameOf(item);
    const same = groups.get(name);
    if (same) same.push(item);
    else groups.set(name, [item]);
  }
  return [...groups.values()];
}
