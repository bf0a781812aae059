import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createTestSearch } from '../test-search.ts';

const text = readFileSync(new URL('../../docs/search.md', import.meta.url), 'utf8');

/** What a command of curl asks for, with the options that the page uses. */
function readCommand(line: string, values: Record<string, string>) {
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, plain, quoted, bare]) =>
      plain ??
      (quoted ?? bare).replace(
        /\$([A-Z]+)/g,
        (_, name) => values[name] ?? assert.fail(`no value for ${name}`),
      ),
  );
  const asked = { method: 'GET' as 'GET', headers: {} as Record<string, string>, payload: '', url: '' };
  for (let i = 1; i < words.length; i++) {
    const word = words[i];
    if (word === '-s' || word === '-i') continue;
    if (word === '-X') asked.method = words[++i] as 'GET';
    else if (word === '-d') asked.payload = words[++i];
    else if (word === '-H') {
      const [name, value] = words[++i].split(': ');
      asked.headers[name.toLowerCase()] = value;
    } else asked.url = word.replace('http://localhost:8080', '');
  }
  return asked;
}

test('every command of docs/search.md does what the page says', async () => {
  const world = createTestSearch();
  const { key } = await world.access.issue({ tier: 'pro', tenant: 'acme', routes: [] });
  const lines = [...text.matchAll(/^curl .*$/gm)].map(([line]) => line);
  // The site is made first and deleted last, wherever the page tells of it.
  const isEnd = (line: string) => /DELETE "[^"]*\$SITE\?/.test(line);
  const inOrder = [...lines.filter((line) => !isEnd(line)), ...lines.filter(isEnd)];
  const values: Record<string, string> = { KEY: key };
  const statuses: number[] = [];
  for (const line of inOrder) {
    const answer = await world.request(readCommand(line, values));
    assert.ok(answer.statusCode < 300, `${line}\n${answer.body}`);
    statuses.push(answer.statusCode);
    if (answer.statusCode === 204) continue;
    const body = answer.json();
    if (body.siteSecret) Object.assign(values, { SITE: body.siteId, SECRET: body.siteSecret });
    if (line.includes('/search?')) assert.equal(body.total, 1);
    if (line.includes('/autocomplete?')) assert.deepEqual(body.results, ['bees']);
    if (line.includes('/stats?')) assert.deepEqual(body.topQueries, [{ query: 'honey', count: 1 }]);
  }
  assert.deepEqual(statuses, [201, 201, 200, 200, 200, 200, 200, 204, 201, 200, 200, 200, 200, 204]);
});
