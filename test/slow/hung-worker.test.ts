import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { type ServerProcess, startServer } from '../e2e/server-process.ts';

// Slow: a worker that hangs is given half a minute. Here it is stopped, which no code of its own can notice.

let server: ServerProcess;
before(async () => {
  server = await startServer({ WORKERS: '2' });
});
after(() => server.end('SIGKILL'));

const told = (message: string): number[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(message))
    .map((line) => JSON.parse(line).pid);

async function until<Value>(find: () => Value | false | undefined): Promise<Value> {
  for (;;) {
    const found = find();
    if (found) return found;
    await once(server.process.stdout as NodeJS.ReadableStream, 'data');
  }
}

/** One request over a connection of its own. */
const ask = () =>
  new Promise<number>((resolve, reject) => {
    request(`${server.url}/healthz`, { agent: false }, (answer) => resolve(answer.resume().statusCode ?? 0))
      .once('error', reject)
      .end();
  });

test('a worker that hangs is ended and replaced, and another leads', { timeout: 120_000 }, async () => {
  const [leader] = await until(() => told('this worker leads').length === 1 && told('this worker leads'));
  process.kill(leader, 'SIGSTOP');
  assert.deepEqual(await until(() => told('does not answer').length > 0 && told('does not answer')), [
    leader,
  ]);
  const leaders = await until(() => told('this worker leads').length === 2 && told('this worker leads'));
  assert.notEqual(leaders[1], leader);
  assert.match(server.output(), /"signal":"SIGKILL".*a worker ended/);
  for (let n = 0; n < 20; n++) assert.equal(await ask(), 200);
});
