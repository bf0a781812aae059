import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStateNotes } from '../../../browser/pages/state-note.ts';

test('a puzzle that ran out is told, the first fetch and the usual course are not', () => {
  const noteOf = createStateNotes('en');
  assert.equal(noteOf('fetching'), null);
  assert.equal(noteOf('solving'), null);
  assert.match(noteOf('fetching') ?? '', /ran out/);
  assert.equal(noteOf('solving'), null);
  assert.equal(noteOf('redeeming'), null);
  assert.equal(noteOf('done'), null);
});

test('a busy server is told with its seconds, in both languages', () => {
  assert.match(createStateNotes('en')('waiting', 19.2) ?? '', /busy.* 20 seconds/);
  assert.match(createStateNotes('de')('waiting', 20) ?? '', /ausgelastet.* 20 Sekunden/);
});
