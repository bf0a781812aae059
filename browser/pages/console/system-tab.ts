import type { SystemBody } from '../../../server/wire/console.ts';
import { formatRate } from '../format.ts';
import { build, buildTable } from './build.ts';
import { createFigures } from './figures.ts';
import { bytes, count, span } from './units.ts';

/** The process, its store, and how old its data is. */
export function createSystemTab(): { node: HTMLElement; show(system: SystemBody): void } {
  const figures = createFigures([
    { label: 'Up for', unit: '', meaning: 'Since this process started.' },
    { label: 'Store', unit: '', meaning: 'The file of the embedded store on the disk.' },
    { label: 'Free on the disk', unit: '', meaning: 'Of the volume that holds the data folder.' },
    {
      label: 'Memory',
      unit: '',
      meaning: 'Resident memory of this process, mapped pages of the store included.',
    },
    { label: 'JavaScript heap', unit: '', meaning: 'In use, of what the process has reserved.' },
    {
      label: 'Process',
      unit: '',
      meaning: 'Its number, and how many share the work. Memory here is that of this one.',
    },
    { label: 'Gatehouse', unit: '', meaning: 'Its version, and the Node that runs it.' },
    { label: 'Sealing key', unit: '', meaning: 'Which of POW_KEYS signs new challenges.' },
    { label: 'Shared store', unit: '', meaning: 'Where spent challenges, throttles, quotas and keys are.' },
  ]);
  const data = buildTable(
    'IP data',
    [
      { name: 'Source' },
      { name: 'Built', meaning: 'The day that the source names' },
      { name: 'Age', meaning: 'Days since then; "gatehouse data update" fetches the current files' },
      { name: 'Licence' },
    ],
    'No source is loaded.',
  );
  const devices = buildTable(
    'Solvers of submitted devices',
    [
      { name: 'Kind of solver' },
      { name: 'Devices', meaning: 'That submitted a figure for it at /bench' },
      { name: 'Slow, 5 %', meaning: 'One device in twenty is slower' },
      { name: 'Median' },
      { name: 'Fast, 95 %', meaning: 'One device in twenty is faster' },
    ],
    'Fewer than five devices submitted their figures at /bench.',
  );
  const processes = buildTable(
    'Processes',
    [
      { name: 'Process', meaning: 'Its number' },
      { name: 'Up for' },
      {
        name: 'Memory',
        meaning: 'Resident, mapped pages of the store included: these are shared, and count in each',
      },
      { name: 'JavaScript heap', meaning: 'In use' },
    ],
    'No process answered.',
  );
  const card = (title: string, meaning: string, node: HTMLElement) =>
    build(
      'article',
      { class: 'card' },
      build('h3', {}, title),
      build('p', { class: 'caption' }, meaning),
      node,
    );
  const processCard = card('Processes', 'Those that share the work, and answered in time.', processes.node);
  processCard.hidden = true;
  const node = build(
    'div',
    { class: 'tab' },
    build('h2', {}, 'System'),
    figures.node,
    processCard,
    card('IP data', 'What answers look-ups, and how old it is.', data.node),
    card(
      'Solvers of submitted devices',
      'What visitors measured at /bench, in hashes per second of one worker.',
      devices.node,
    ),
  );
  return {
    node,
    show(system) {
      const { memory, store, process } = system;
      figures.set([
        span(process.upSecs),
        bytes(store.bytes),
        bytes(store.freeBytes),
        bytes(memory.rssBytes),
        `${bytes(memory.heapUsedBytes)} of ${bytes(memory.heapTotalBytes)}`,
        process.of > 1 ? `${process.pid}, one of ${process.of}` : String(process.pid),
        `${system.version}, Node ${system.node.replace(/^v/, '')}`,
        `no. ${system.signingKid}`,
        store.isShared ? 'Redis' : 'in the store here',
      ]);
      processCard.hidden = process.of < 2;
      processes.fill(
        system.processes.map(({ pid, upSecs, rssBytes, heapUsedBytes }) => [
          String(pid),
          span(upSecs),
          bytes(rssBytes),
          bytes(heapUsedBytes),
        ]),
      );
      data.fill(
        system.data.map(({ name, buildDate, ageDays, licence }) => [
          name,
          buildDate ?? 'unknown',
          ageDays === null ? 'unknown' : `${count(ageDays)} days`,
          licence,
        ]),
      );
      devices.fill(
        Object.entries(system.devices.kernels).flatMap(([kind, known]) =>
          known
            ? [[kind, count(known.devices), ...[0, 9, 18].map((i) => formatRate(known.percentiles[i], 'en'))]]
            : [],
        ),
      );
    },
  };
}
