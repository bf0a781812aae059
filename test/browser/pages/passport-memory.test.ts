import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPassportMemory, PASSPORT_MEMORY_KEY } from '../../../browser/pages/passport-memory.ts';
import { mapStorage } from './map-storage.ts';

const NOW = 1_700_000_000_000;

test('two tabs share the end of a passport, and nothing but the end is stored', () => {
  const storage = mapStorage();
  createPassportMemory(() => storage).remember(NOW + 1_800_000.4);
  const otherTab = createPassportMemory(() => storage);
  assert.equal(otherTab.expiresAt(NOW), NOW + 1_800_000);
  assert.deepEqual([...storage.entries], [[PASSPORT_MEMORY_KEY, String(NOW + 1_800_000)]]);
});

test('an end that has come is no passport', () => {
  const memory = createPassportMemory(mapStorage);
  const storage = mapStorage();
  const shared = createPassportMemory(() => storage);
  shared.remember(NOW);
  assert.equal(shared.expiresAt(NOW - 1), NOW);
  assert.equal(shared.expiresAt(NOW), null);
  assert.equal(memory.expiresAt(NOW), null);
});

test('what we did not write, or a clock set back by days, is no passport', () => {
  for (const text of [
    '',
    'soon',
    '-5',
    '1e13',
    `${NOW + 1}.5`,
    '99999999999999999999',
    String(NOW + 25 * 3600_000),
  ]) {
    const storage = mapStorage([[PASSPORT_MEMORY_KEY, text]]);
    assert.equal(createPassportMemory(() => storage).expiresAt(NOW), null, JSON.stringify(text));
  }
});

test('forgetting reaches the other tab', () => {
  const storage = mapStorage();
  const memory = createPassportMemory(() => storage);
  memory.remember(NOW + 1000);
  memory.forget();
  assert.equal(createPassportMemory(() => storage).expiresAt(NOW), null);
});

test('where touching storage throws, the page still knows its own passport', () => {
  const memory = createPassportMemory(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  assert.equal(memory.expiresAt(NOW), null);
  memory.remember(NOW + 1000);
  assert.equal(memory.expiresAt(NOW), NOW + 1000);
  memory.forget();
  assert.equal(memory.expiresAt(NOW), null);
});
