import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogRequests } from '../../../server/http/log-requests.ts';
import type { Context } from '../../../server/http/request-state.ts';

test('bytes of a target that would command a terminal are escaped in the log', async () => {
  const lines: { path?: string }[] = [];
  const log = { info: (line: object) => void lines.push(line) };
  const logRequests = createLogRequests(log as never, { nowMs: () => 0 });
  const client = { bytes: new Uint8Array(4) };
  for (const url of ['/\x9b2J', '/a\x7f?b', '/caf\xc3\xa9', '/as/it/is'])
    await logRequests({ req: { url }, state: { client } } as Context as never, async () => {});
  assert.deepEqual(
    lines.map(({ path }) => path),
    ['/%9B2J', '/a%7F', '/caf%C3%A9', '/as/it/is'],
  );
});
