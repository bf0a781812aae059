import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

test('the configuration of the cores finds every use of Node, of the page and of the network', () => {
  const { stdout, status } = spawnSync(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '-p', 'test/fixtures/impure-core'],
    { cwd: root, encoding: 'utf8' },
  );
  assert.notEqual(status, 0);
  for (const name of ['Buffer', 'process', 'document', 'setTimeout', 'fetch']) {
    assert.match(stdout, new RegExp(`Cannot find name '${name}'`), stdout);
  }
});
