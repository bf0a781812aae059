import type { GateBody, Series } from '../../../server/wire/console.ts';
import { build, buildTable } from './build.ts';
import { type Chart, createChart } from './chart.ts';
import { createBars, createFigures } from './figures.ts';
import { createSolveCard } from './solve-card.ts';
import { clock, count, moment, share } from './units.ts';

const RANGES = [
  { id: 'hour', name: 'Last hour, by minutes' },
  { id: 'day', name: 'Last day, by quarters of an hour' },
] as const;
type Range = (typeof RANGES)[number]['id'];

export type GateTab = { node: HTMLElement; show(gate: GateBody): void };

/** What happens at the gate, as the stream tells it. */
export function createGateTab(): GateTab {
  let range: Range = 'hour';
  let latest: GateBody | null = null;

  const totals = createFigures([
    { label: 'Issued', unit: 'challenges', meaning: 'Handed out, solved or not.' },
    { label: 'Solved', unit: 'challenges', meaning: 'Proofs that held and were spent.' },
    { label: 'Solved of issued', unit: '', meaning: 'Low: visitors give up, or programs ask and never pay.' },
    { label: 'Refused', unit: 'requests', meaning: 'Came without a proof, or with one that does not hold.' },
    { label: 'Let in', unit: 'requests', meaning: 'Reached a gated route.' },
    {
      label: 'Load adds',
      unit: 'bits',
      meaning: 'To the price of new challenges, now. Each bit doubles the work.',
    },
    {
      label: 'Pressure',
      unit: '× limit',
      meaning: 'Paid work beside the limits of the policy; the price rises from 1.',
    },
  ]);
  const flow = rangeChart(
    'Challenges',
    'How many were handed out, and how many came back solved, in each span.',
    [
      { name: 'issued', style: 'dashed' },
      { name: 'solved', style: 'accent' },
    ],
  );
  const traffic = rangeChart(
    'Requests to gated routes',
    'How many were let in, and how many refused, in each span.',
    [
      { name: 'let in', style: 'accent' },
      { name: 'refused', style: 'dashed' },
    ],
  );
  const bits = rangeChart(
    'Difficulty',
    'Bits of the challenges handed out. Gaps are spans without any. One bit more is twice the work.',
    [
      { name: 'highest, bits', style: 'dashed' },
      { name: 'mean, bits', style: 'accent' },
    ],
    'mean',
  );
  const reasons = createBars('refused', 'Nothing was refused yet.');
  const ways = createBars('let in', 'Nobody was let in yet.');
  const solves = createSolveCard();
  const routes = buildTable(
    'Routes',
    [
      { name: 'Route', meaning: 'Its id in the policy; "any" where none was named' },
      { name: 'Price, bits', meaning: 'What its policy asks for, without load' },
      { name: 'Issued', meaning: 'Challenges for this route' },
      { name: 'Let in', meaning: 'Requests that reached it' },
      { name: 'Refused', meaning: 'Requests turned away' },
    ],
    'No route is gated.',
  );
  const since = build('p', { class: 'caption' });

  const ranges = build(
    'fieldset',
    { class: 'ranges' },
    build('legend', { class: 'visually-hidden' }, 'Span of the charts'),
    ...RANGES.map(({ id, name }) => {
      const input = build('input', { type: 'radio', name: 'range', value: id, checked: id === range });
      input.addEventListener('change', () => {
        range = id;
        if (latest) draw(latest);
      });
      return build('label', {}, input, ' ', name);
    }),
  );

  const card = (title: string, meaning: string, ...nodes: (HTMLElement | string)[]) =>
    build(
      'article',
      { class: 'card' },
      build('h3', {}, title),
      build('p', { class: 'caption' }, meaning),
      ...nodes,
    );
  const node = build(
    'div',
    { class: 'tab' },
    build('h2', {}, 'Gate'),
    since,
    totals.node,
    ranges,
    build(
      'div',
      { class: 'cards' },
      flow.node,
      traffic.node,
      bits.node,
      solves.node,
      card(
        'Refused, by reason',
        'The codes are those of the answers; docs/errors.md explains each.',
        reasons.node,
      ),
      card(
        'Let in, by way',
        'A passport, a proof for one request, or without paying: exempt, by verdict, as a verified bot.',
        ways.node,
      ),
    ),
    card('By route', 'Since the server started.', routes.node),
  );

  function rangeChart(
    title: string,
    meaning: string,
    lines: Parameters<typeof createChart>[0]['lines'],
    gather: 'sum' | 'mean' = 'sum',
  ): Chart {
    return createChart({
      title,
      meaning,
      across: 'From',
      lines,
      label: clock,
      steps: [600, 1_200, 14_400, 21_600, 28_800],
      gather,
      isNear: gather === 'mean',
    });
  }

  function draw(gate: GateBody): void {
    const { stepSecs, endSecs, issued, solved, admitted, refused, meanBits, mostBits }: Series = gate[range];
    const x = issued.map((_, i) => endSecs - (issued.length - i) * stepSecs);
    const sum = (values: readonly number[]) => count(values.reduce((total, value) => total + value, 0));
    const when = range === 'hour' ? 'In the last hour' : 'In the last day';
    flow.draw(
      x,
      [issued, solved],
      `${when} ${sum(issued)} challenges were issued and ${sum(solved)} solved.`,
    );
    traffic.draw(
      x,
      [admitted, refused],
      `${when} ${sum(admitted)} requests were let in and ${sum(refused)} refused.`,
    );
    const highest = Math.max(0, ...mostBits.map((most) => most ?? 0));
    bits.draw(
      x,
      [mostBits, meanBits],
      highest > 0
        ? `${when} the highest difficulty was ${highest} bits.`
        : `${when} no challenge was issued.`,
    );
  }

  return {
    node,
    show(gate) {
      latest = gate;
      const { issued, solved, refused, admitted } = gate.totals;
      since.textContent = `Counted since ${moment(gate.since)}, when ${gate.processes > 1 ? `the oldest of ${gate.processes} processes` : 'the server'} started; a restart begins anew.`;
      totals.set([
        count(issued),
        count(solved),
        share(solved, issued),
        count(refused),
        count(admitted),
        `+${gate.load.extraBits}`,
        gate.load.pressure.toFixed(2),
      ]);
      reasons.fill(gate.refusedBy.map(({ name, count: value }) => ({ name, value })));
      ways.fill(gate.admittedBy.map(({ name, count: value }) => ({ name, value })));
      routes.fill(
        gate.routes.map((route) => [
          route.id,
          route.bits === null ? '–' : String(route.bits),
          count(route.issued),
          count(route.admitted),
          count(route.refused),
        ]),
      );
      solves.show(gate);
      draw(gate);
    },
  };
}
