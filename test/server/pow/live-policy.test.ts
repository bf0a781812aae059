import assert from 'node:assert/strict';
import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { nodeDigest } from '../../../server/base/system.ts';
import { openLivePolicy } from '../../../server/pow/live-policy.ts';
import { makeFolder } from '../../temporary-folder.ts';
import type { LogLine } from '../../test-app.ts';
import { createTestTimer } from '../../test-timer.ts';

const policyOf = (id: string) => JSON.stringify({ routes: [{ id, paths: ['/a'] }] });

/** A live policy over a file that the test exchanges as it likes; an Error is what reading then fails with. */
async function openFile(first: string) {
  const file: { text: string | Error } = { text: first };
  const lines: LogLine[] = [];
  const timer = createTestTimer();
  const write = (level: 'info' | 'warn' | 'error') => (fields: object, message: string) =>
    void lines.push({ level, message, ...fields });
  const live = await openLivePolicy({
    path: 'policy.json',
    readText: async () => {
      if (file.text instanceof Error) throw file.text;
      return file.text;
    },
    digest: nodeDigest,
    timer,
    log: { info: write('info'), warn: write('warn'), error: write('error') },
  });
  const lookTwice = async () => {
    await live.look();
    await live.look();
  };
  return { live, file, lines, timer, lookTwice, id: () => live.current().routes[0].id };
}

describe('a policy file', () => {
  test('that is at fault at the start starts nothing', async () => {
    await assert.rejects(openFile('{'), { name: 'PolicyError', message: /policy\.json: / });
    await assert.rejects(openFile('{"routes": [{}]}'), { name: 'PolicyError', message: /routes\[0\]\.id/ });
  });

  test('that is not touched is not taken again', async () => {
    const { lookTwice, lines } = await openFile(policyOf('one'));
    await lookTwice();
    assert.deepEqual(lines, []);
  });

  test('that changes is in force at the second look', async () => {
    const { live, file, lines, id } = await openFile(policyOf('one'));
    file.text = policyOf('two');
    await live.look();
    assert.equal(id(), 'one');
    await live.look();
    assert.equal(id(), 'two');
    await live.look();
    assert.deepEqual(lines, [{ level: 'info', message: 'policy reloaded', routes: 1 }]);
  });

  test('that is caught half written is waited for, in silence', async () => {
    const { live, file, lines, id } = await openFile(policyOf('one'));
    for (const text of ['', '{"rou', policyOf('two')]) {
      file.text = text;
      await live.look();
    }
    assert.equal(id(), 'one');
    await live.look();
    assert.equal(id(), 'two');
    assert.deepEqual(
      lines.map(({ level }) => level),
      ['info'],
    );
  });

  test('that is at fault is refused once, with every fault, and the old one stays', async () => {
    const { file, lines, lookTwice, id } = await openFile(policyOf('one'));
    file.text = '{"routs": [], "routes": [{"id": "Two", "paths": ["no"]}]}';
    await lookTwice();
    await lookTwice();
    assert.equal(id(), 'one');
    assert.equal(lines.length, 1);
    assert.equal(lines[0].message, 'policy refused; the old one stays');
    assert.equal((lines[0].faults as string[]).length, 3);
    file.text = policyOf('two');
    await lookTwice();
    assert.equal(id(), 'two');
  });

  test('that is gone is told once, and the old one stays', async () => {
    const { file, lines, lookTwice, id } = await openFile(policyOf('one'));
    file.text = new Error('ENOENT');
    await lookTwice();
    await lookTwice();
    assert.equal(id(), 'one');
    assert.deepEqual(
      lines.map(({ message }) => message),
      ['policy file unreadable; the old policy stays'],
    );
    file.text = policyOf('two');
    await lookTwice();
    assert.equal(id(), 'two');
  });

  test('is taken at once by a reload, or refused whole', async () => {
    const { live, file, id, lookTwice, lines } = await openFile(policyOf('one'));
    file.text = policyOf('two');
    await live.reload();
    assert.equal(id(), 'two');
    file.text = 'null';
    await assert.rejects(live.reload(), { name: 'PolicyError' });
    assert.equal(id(), 'two');
    // Whoever asked for the reload has told; the next looks have nothing to add.
    await lookTwice();
    assert.deepEqual(lines, []);
  });

  test('is looked at from time to time until the watch ends', async () => {
    const { live, file, timer, id } = await openFile(policyOf('one'));
    const stop = live.watch();
    file.text = policyOf('two');
    for (let look = 0; look < 2; look++) {
      assert.equal(timer.waiting(), 1);
      timer.fire();
      await new Promise(setImmediate);
    }
    assert.equal(id(), 'two');
    stop();
    assert.equal(timer.waiting(), 0);
  });
});

test('a dry run is told whenever the file is taken', async () => {
  const { file, lines, lookTwice } = await openFile(
    JSON.stringify({ dry_run: true, routes: [{ id: 'one', paths: ['/a'] }] }),
  );
  assert.deepEqual(lines, [
    { level: 'warn', message: 'dry run: these routes let everyone in', routes: ['one'] },
  ]);
  file.text = policyOf('one');
  await lookTwice();
  assert.deepEqual(lines.at(-1), { level: 'info', message: 'policy reloaded', routes: 1 });
  assert.equal(lines.length, 2);
});

describe('a policy file on a disk', () => {
  function makeFile(t: TestContext) {
    const { folder, remove } = makeFolder();
    t.after(remove);
    const path = join(folder, 'policy.json');
    const open = async () => {
      const quiet = { info() {}, warn() {}, error: (fields: object) => assert.fail(JSON.stringify(fields)) };
      const live = await openLivePolicy({
        path,
        readText: (asked) => readFile(asked, 'utf8'),
        digest: nodeDigest,
        timer: createTestTimer(),
        log: quiet,
      });
      return async () => {
        await live.look();
        await live.look();
        return live.current().routes[0].id;
      };
    };
    return { folder, path, open };
  }

  test('is seen where an editor replaces it', async (t) => {
    const { folder, path, open } = makeFile(t);
    writeFileSync(path, policyOf('one'));
    const look = await open();
    writeFileSync(join(folder, 'new'), policyOf('two'));
    renameSync(join(folder, 'new'), path);
    assert.equal(await look(), 'two');
  });

  test('is seen where Kubernetes turns the folder above it', async (t) => {
    const { folder, path, open } = makeFile(t);
    for (const id of ['one', 'two']) {
      mkdirSync(join(folder, `..${id}`));
      writeFileSync(join(folder, `..${id}`, 'policy.json'), policyOf(id));
    }
    symlinkSync('..one', join(folder, '..data'));
    symlinkSync('..data/policy.json', path);
    const look = await open();
    assert.equal(await look(), 'one');
    symlinkSync('..two', join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    assert.equal(await look(), 'two');
    unlinkSync(join(folder, '..one', 'policy.json'));
    assert.equal(await look(), 'two');
  });
});

test('the built-in policy has no file to look at', async () => {
  const live = await openLivePolicy({
    path: null,
    readText: () => assert.fail('was read'),
    digest: nodeDigest,
    timer: createTestTimer(),
    log: { info() {}, warn() {}, error() {} },
  });
  await live.look();
  await live.reload();
  assert.deepEqual(
    live.current().routes.map(({ id }) => id),
    ['chat', 'demo'],
  );
});
