import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { prepareDataFolder } from '../../../server/store/data-folder.ts';
import { asStranger } from '../../as-stranger.ts';
import { makeFolder } from '../../temporary-folder.ts';

const { folder, remove } = makeFolder();
after(remove);
chmodSync(folder, 0o755);
writeFileSync(join(folder, 'file'), '');

const assertRefused = (path: string, reason: RegExp) =>
  assert.throws(
    () => asStranger(() => prepareDataFolder(path)),
    (error: Error) => {
      assert.ok(error.message.startsWith(`DATA_DIR ${path}`), error.message);
      assert.match(error.message, reason);
      assert.doesNotMatch(error.message, /\n|E[A-Z]{4,}/);
      return true;
    },
  );

test('a folder that is missing is made with those above it, for its owner alone', () => {
  const path = join(folder, 'a/b/c');
  prepareDataFolder(path);
  prepareDataFolder(path);
  assert.equal(statSync(path).mode & 0o777, 0o700);
});

// `mkdirSync` with `recursive` never came back from this one.
test('a folder of /proc is refused, and not tried for ever', () =>
  assertRefused('/proc/x', /no folder can be made there|may not read and write/));

test('a file in the place of the folder, or above it', () => {
  assertRefused(join(folder, 'file'), /expected a folder, found a file/);
  assertRefused(join(folder, 'file/x'), /a part of its path is a file/);
});

test('a folder of somebody else', () => {
  const path = join(folder, 'theirs');
  mkdirSync(path, { mode: 0o755 });
  chmodSync(path, 0o555);
  assertRefused(path, /may not read and write there: change its owner/);
  assertRefused(join(path, 'new'), /may not read and write there/);
});

for (const name of ['gatehouse.lmdb', 'pow-keys', 'admin-key']) {
  test(`${name} that a server of another user has left`, () => {
    const path = join(folder, `left-${name}`);
    mkdirSync(path);
    chmodSync(path, 0o777);
    writeFileSync(join(path, name), 'x');
    chmodSync(join(path, name), 0);
    assertRefused(path, new RegExp(`/${name.replace('.', '\\.')}: .*may not`));
  });
}
