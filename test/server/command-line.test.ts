import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { entry } from '../e2e/server-process.ts';
import { makeFolder } from '../temporary-folder.ts';

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], {
    encoding: 'utf8',
    env: {},
  });
  return { status, stdout, stderr };
};

test('what is no command gets the usage of all of them and status 2', () => {
  for (const args of [['shred'], ['constructor'], ['serve', '--dmeo'], ['serve', 'now']]) {
    const { status, stderr } = run(...args);
    assert.equal(status, 2, args.join(' '));
    for (const name of ['serve', 'keys issue', 'solve', '--version'])
      assert.match(stderr, new RegExp(`^gatehouse ${name}`, 'm'));
  }
});

test('help is no error, and the version is that of the package', () => {
  assert.equal(run('--help').status, 0);
  assert.equal(run().status, 0);
  assert.match(run('--version').stdout, /^\d+\.\d+\.\d+\n$/);
});

test('what the operator can mend is one line and status 1', () => {
  const { folder, remove } = makeFolder();
  const faulty = spawnSync(process.execPath, [entry, 'keys', 'list'], {
    encoding: 'utf8',
    env: { PORT: 'http', DATA_DIR: folder },
  });
  assert.equal(faulty.status, 1);
  assert.match(faulty.stderr, /^gatehouse: the configuration has 1 fault/);
  assert.doesNotMatch(faulty.stderr, / at .*\.ts:/);
  remove();
});

test('check tells every fault and its place, or that there is none, and starts nothing', () => {
  const { folder, remove } = makeFolder();
  const check = (env: Record<string, string>) =>
    spawnSync(process.execPath, [entry, 'check'], { encoding: 'utf8', env: { DATA_DIR: folder, ...env } });
  const faulty = check({ GATE_POLICY: `${folder}/none`, CHAT_CONFIG: folder, DATA_DIR: '/proc/x' });
  assert.equal(faulty.status, 1);
  assert.match(faulty.stderr, /^gatehouse: the configuration has 3 fault/);
  for (const name of ['GATE_POLICY', 'CHAT_CONFIG', 'DATA_DIR'])
    assert.match(faulty.stderr, new RegExp(`^  ${name} /\\S+: `, 'm'));
  assert.doesNotMatch(faulty.stderr, / at .*\.ts:/);
  assert.deepEqual(
    [check({}).status, check({}).stdout, readdirSync(folder)],
    [0, 'the configuration has no fault\n', []],
  );
  remove();
});
