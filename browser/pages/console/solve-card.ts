import type { GateBody } from '../../../server/wire/console.ts';
import { SOLVER_TEXT } from '../solver-text.ts';
import { build, buildTable } from './build.ts';
import { createBars } from './figures.ts';
import { count, decimal } from './units.ts';

type Group = GateBody['solveTimes']['groups'][number];

const KINDS: Record<Group['solver'], string> = {
  ...SOLVER_TEXT.en.kernels,
  unsaid: 'not said: programs, mostly',
};

/** How long solving took: by difficulty and by kind of solver, as bars, and every kind beside the others. */
export function createSolveCard(): { node: HTMLElement; show(gate: GateBody): void } {
  const bars = createBars('solved', 'Nothing was solved yet.');
  const difficulty = build('select', { 'aria-label': 'Difficulty of the solved challenges' });
  const kind = build('select', { 'aria-label': 'Kind of solver' });
  const lead = build('p', { class: 'caption' });
  const kinds = buildTable(
    'Time to solve, by kind of solver',
    [
      { name: 'Kind of solver', meaning: 'What the visitor’s page says of itself' },
      { name: 'Solved', meaning: 'Challenges of the difficulty chosen' },
      { name: 'Mean', meaning: 'Seconds from issue to proof' },
      { name: 'Nine of ten within', meaning: 'The edge that nine of ten do not exceed' },
    ],
    'Nothing was solved yet.',
  );
  const node = build(
    'article',
    { class: 'card' },
    build('h3', {}, 'Time to solve'),
    build(
      'p',
      { class: 'caption' },
      'From the issue of a challenge to its proof, waiting and travelling included.',
    ),
    build('div', { class: 'selects' }, difficulty, kind),
    lead,
    bars.node,
    kinds.node,
  );
  let latest: GateBody | null = null;
  for (const select of [difficulty, kind]) select.addEventListener('change', () => latest && show(latest));

  function show(gate: GateBody): void {
    latest = gate;
    const { edgesSecs, groups } = gate.solveTimes;
    const bitsThere = [...new Set(groups.map(({ bits }) => bits))];
    offer(difficulty, [
      ['all', 'all difficulties'],
      ...bitsThere.map((bits) => [String(bits), `${bits} bits`] as const),
    ]);
    const ofBits = groups.filter(
      ({ bits }) => difficulty.value === 'all' || difficulty.value === String(bits),
    );
    const names = (Object.keys(KINDS) as Group['solver'][]).filter((name) =>
      groups.some(({ solver }) => solver === name),
    );
    offer(kind, [['all', 'all kinds of solver'], ...names.map((name) => [name, KINDS[name]] as const)]);
    const { counts, solved, meanSecs } = join(
      ofBits.filter(({ solver }) => kind.value === 'all' || kind.value === solver),
      edgesSecs.length + 1,
    );
    lead.textContent = solved > 0 ? `${count(solved)} solved, ${decimal(meanSecs)} s in the mean.` : '';
    const last = counts.findLastIndex((value) => value > 0);
    bars.fill(
      counts.slice(0, last + 1).map((value, i) => ({
        name: i < edgesSecs.length ? `up to ${edgesSecs[i]} s` : `over ${edgesSecs.at(-1)} s`,
        value,
      })),
    );
    kinds.fill(
      names.flatMap((name) => {
        const own = join(
          ofBits.filter(({ solver }) => solver === name),
          edgesSecs.length + 1,
        );
        if (own.solved === 0) return [];
        return [
          [
            KINDS[name],
            count(own.solved),
            `${decimal(own.meanSecs)} s`,
            ninth(own.counts, own.solved, edgesSecs),
          ],
        ];
      }),
    );
  }
  return { node, show };
}

/** Groups taken together. */
function join(
  groups: readonly Group[],
  length: number,
): { counts: number[]; solved: number; meanSecs: number } {
  const counts = Array.from({ length }, (_, i) => groups.reduce((sum, group) => sum + group.counts[i], 0));
  const solved = counts.reduce((sum, value) => sum + value, 0);
  const secs = groups.reduce(
    (sum, group) => sum + group.meanSecs * group.counts.reduce((a, b) => a + b, 0),
    0,
  );
  return { counts, solved, meanSecs: solved > 0 ? secs / solved : 0 };
}

function ninth(counts: readonly number[], solved: number, edgesSecs: readonly number[]): string {
  let sum = 0;
  const at = counts.findIndex((value) => {
    sum += value;
    return sum >= 0.9 * solved;
  });
  return at < edgesSecs.length ? `${edgesSecs[at]} s` : `over ${edgesSecs.at(-1)} s`;
}

/** Puts the options into a select where they are others than it has, and keeps the choice. */
function offer(select: HTMLSelectElement, options: readonly (readonly [string, string])[]): void {
  if (options.map(([value]) => value).join() === [...select.options].map(({ value }) => value).join()) return;
  const chosen = select.value;
  select.replaceChildren(...options.map(([value, name]) => build('option', { value }, name)));
  select.value = options.some(([value]) => value === chosen) ? chosen : options[0][0];
}
