import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { MOST_ROWS } from '../../server/devices/core/ports.ts';
import { LEAST_DEVICES } from '../../server/devices/core/summary.ts';
import { DeviceResult } from '../../server/wire/devices.ts';

const page = readFileSync(new URL('../../docs/bench.md', import.meta.url), 'utf8');

test('the submission of the documentation is one that is taken, and has every member', () => {
  const [, json] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const example = JSON.parse(json);
  assert.deepEqual(DeviceResult.parse(example), example);
  assert.deepEqual(Object.keys(example), Object.keys(DeviceResult.shape));
});

test('the bounds of the documentation are those of the code', () => {
  assert.ok(page.includes(`${MOST_ROWS.toLocaleString('en')} newer ones`));
  assert.equal(LEAST_DEVICES, 5);
  assert.match(page, /from five devices on/);
});
