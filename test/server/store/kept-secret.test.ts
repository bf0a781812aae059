import assert from 'node:assert/strict';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepSecret } from '../../../server/store/kept-secret.ts';
import { makeFolder } from '../../temporary-folder.ts';

test('a secret is made once, for the owner alone, and then kept', () => {
  const { folder, remove } = makeFolder();
  const inside = join(folder, 'new');
  assert.deepEqual(
    keepSecret(inside, 'key', () => 'first'),
    { text: 'first', isNew: true },
  );
  assert.deepEqual(
    keepSecret(inside, 'key', () => 'second'),
    { text: 'first', isNew: false },
  );
  assert.equal(statSync(join(inside, 'key')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(inside), ['key']);
  remove();
});

test('who comes second in a race reads what the first has written', () => {
  const { folder, remove } = makeFolder();
  const second = keepSecret(folder, 'key', () => {
    // Another process wins between the look and the write.
    writeFileSync(join(folder, 'key'), 'of the other');
    return 'mine';
  });
  assert.deepEqual(second, { text: 'of the other', isNew: false });
  assert.deepEqual(readdirSync(folder), ['key']);
  remove();
});
