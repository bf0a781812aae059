import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runKeysCommand } from '../../../server/access/keys-command.ts';
import { createTestAccess } from '../../test-access.ts';

function createShell() {
  const { access } = createTestAccess();
  const lines: string[] = [];
  const errors: string[] = [];
  const output = {
    log: (line: string) => void lines.push(line),
    error: (line: string) => void errors.push(line),
  };
  const run = (line: string) => runKeysCommand(line.split(' ').filter(Boolean), access, output);
  return { access, lines, errors, run };
}

test('a key is issued, listed without its secret, and revoked', async () => {
  const { access, lines, run } = createShell();
  assert.equal(await run('issue --tier pro --tenant example.org --route a --route b'), 0);
  const { key, keyId, tier } = JSON.parse(lines[0]);
  assert.equal(tier, 'pro');
  assert.equal((await access.callerOf(key)).tenant, 'example.org');
  assert.equal(await run('list'), 0);
  const listed = JSON.parse(lines[1]);
  assert.deepEqual([listed.keyId, listed.routes, listed.revokedAtSecs], [keyId, ['a', 'b'], null]);
  assert.doesNotMatch(lines[1], /[Hh]ash|secret/);
  assert.equal(await run(`revoke ${keyId}`), 0);
  await assert.rejects(access.callerOf(key), { code: 'unknown-key' });
});

for (const [line, status, message] of [
  ['', 2, /expected: keys issue/],
  ['shred', 2, /expected: keys issue/],
  ['issue --tenant x', 2, /--tier: expected free, pro, enterprise, got nothing/],
  ['issue --tier gold --tenant x', 2, /got gold/],
  ['issue --tier pro', 2, /--tenant: expected/],
  ['issue --tier pro --tenant x --secret y', 2, /'--secret'/],
  ['issue --tier pro --tenant x --route 1 --route 2 --route 3 --route 4 --route 5 --route 6', 2, /at most 5/],
  ['revoke', 2, /expected: keys issue/],
  ['revoke ffffffffffff', 1, /no key has the id "ffffffffffff"/],
] as const) {
  test(`refused: keys ${line}`, async () => {
    const { access, errors, run } = createShell();
    assert.equal(await run(line), status);
    assert.match(errors.join('\n'), message);
    assert.equal((await access.list()).length, 0);
  });
}
