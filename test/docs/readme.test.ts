import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { type ServerProcess, startServer } from '../e2e/server-process.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The `curl` lines of the README, word by word as a shell splits them. */
const commands = [...readme.matchAll(/^curl .*$/gm)].map(([line]) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain),
);

let server: ServerProcess;
before(async () => {
  server = await startServer();
});
after(() => server.end('SIGKILL'));

// A bare machine may have no curl; what the README uses of it is little enough to do with fetch.
function request(words: readonly string[]): Promise<Response> {
  const unknown = words.slice(1).filter((word) => word.startsWith('-') && !['-s', '-i', '-X'].includes(word));
  assert.deepEqual(unknown, [], 'the test does not know this option of curl');
  const url = words.at(-1) as string;
  const method = words.includes('-X') ? words[words.indexOf('-X') + 1] : 'GET';
  return fetch(url.replace('http://localhost:8080', server.url), { method });
}

const expected = new Map([
  ['/demo/', { status: 401, holds: 'proof-required' }],
  ['/pow/challenge', { status: 200, holds: 'difficulty_bits' }],
  ['/whois.json', { status: 200, holds: '"countryIso":"US"' }],
  ['/inspect.json', { status: 200, holds: '"decision":' }],
  ['/sites', { status: 201, holds: 'siteSecret' }],
  ['/openapi.json', { status: 200, holds: '"openapi":"3.0.3"' }],
]);

for (const words of commands) {
  test(`README: ${words.join(' ')}`, async () => {
    const answer = await request(words);
    const { pathname } = new URL(words.at(-1) as string);
    const { status, holds } = expected.get(pathname) ?? assert.fail(`nothing is expected of ${pathname}`);
    assert.equal(answer.status, status);
    assert.ok((await answer.text()).includes(holds));
  });
}

test('the README has all the commands that are expected of it', () =>
  assert.equal(commands.length, expected.size));
