import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { writeReport } from '../../../../browser/pages/bench/report.ts';
import { solveTimes } from '../../../../browser/pages/bench/solve-times.ts';
import { BENCH_PAGE_DE } from '../../../../browser/pages/bench/text-de.ts';
import { deviceResult } from '../../../device-result.ts';

const html = readFileSync(new URL('../../../../browser/pages/bench.html', import.meta.url), 'utf8');

test('every text of the page is there in German, and none is left over', () => {
  const asked = new Set([
    'title',
    ...[...html.matchAll(/data-(?:text|label)="(\w+)"/g)].map(([, key]) => key),
  ]);
  assert.ok(asked.size > 40, `only ${asked.size} texts were found`);
  assert.deepEqual(Object.keys(BENCH_PAGE_DE).sort(), [...asked].sort());
});

test('the report holds every figure, with units and words', () => {
  const report = {
    device: deviceResult(10_000_000, {
      kernels: { simd: 5_000_000, scalar: null, javascript: 500_000 },
      memory_gb: null,
    }),
    times: solveTimes(10_000_000),
    vitals: { inp: 40, longTasks: null, frame: 90 },
  };
  const english = writeReport(report, 'en');
  for (const line of [
    'Gatehouse /bench · firefox 145 · Android · 8 threads',
    'WebAssembly, four lanes: 5.00 million hashes/s',
    'WebAssembly, one lane: does not run in this browser',
    '2 workers: 10.0 million hashes/s',
    '20 bit: 73\u00a0ms (95 %: 314\u00a0ms)',
    'INP 40\u00a0ms (good) · max. frame 90\u00a0ms (needs improvement)',
  ])
    assert.ok(english.split('\n').includes(line), `${line}\n\n${english}`);
  assert.match(writeReport(report, 'de'), /5,00 Millionen Hashes\/s/);
});
