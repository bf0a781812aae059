import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { MONTHLY_QUOTAS, MOST_ROUTES } from '../../server/access/core/quotas.ts';
import { nodeDigest } from '../../server/base/system.ts';
import { configTable } from '../../server/config.ts';
import { skipReasonTable } from '../../server/crawl/core/reasons.ts';
import { readRobots } from '../../server/crawl/core/robots.ts';
import { metricsTable } from '../../server/http/metrics.ts';
import { reasonTable } from '../../server/ip/core/weights.ts';
import { readCaptchaConfig } from '../../server/pow/captcha-file.ts';
import { captchaCodeTable, captchaProviderTable } from '../../server/pow/core/captcha-tables.ts';
import { TIERS } from '../../server/pow/core/tiers.ts';
import { verdictTable } from '../../server/pow/core/verdict.ts';
import { verifiedBotTable } from '../../server/pow/core/verified-bots.ts';
import { readPolicy } from '../../server/pow/policy-file.ts';
import { KEY_TIERS } from '../../server/wire/access.ts';
import { PROVIDER_NAMES } from '../../server/wire/captcha.ts';
import { problemTable } from '../../server/wire/problem.ts';
import { siteverifyTable } from '../../server/wire/siteverify.ts';
import { createTestGate, solve } from '../test-gate.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

test('the table of errors is the table of the code', () => {
  assert.ok(
    read('docs/errors.md').includes(problemTable()),
    `docs/errors.md should hold:\n${problemTable()}`,
  );
});

test('the table of reasons why an address was left out is the table of the code', () => {
  assert.ok(
    read('docs/crawl.md').includes(skipReasonTable()),
    `docs/crawl.md should hold:\n${skipReasonTable()}`,
  );
});

test('the categories of the documentation are understood', () => {
  const [, text] = /```\n(User-agent:[\s\S]*?)```/.exec(read('docs/crawl.md')) ?? [];
  const { categories, faults } = readRobots(text, 'GatehouseBot');
  assert.deepEqual(faults, []);
  assert.deepEqual(
    categories.map(({ label }) => label),
    ['Guides', 'Release notes', 'Deutsch'],
  );
});

test('the table of variables is the table of the code', () => {
  assert.ok(
    read('docs/configuration.md').includes(configTable()),
    `docs/configuration.md should hold:\n${configTable()}`,
  );
});

test('the table of siteverify codes is the table of the code', () => {
  assert.ok(
    read('docs/siteverify.md').includes(siteverifyTable()),
    `docs/siteverify.md should hold:\n${siteverifyTable()}`,
  );
});

test('the table of reasons is the table of the code', () => {
  assert.ok(read('docs/ip.md').includes(reasonTable()), `docs/ip.md should hold:\n${reasonTable()}`);
});

/** What each tier may ask for and how much it has, from the tables of the two features that know. */
function tierTable(): string {
  const range = (bounds: readonly [number, number] | null) =>
    bounds ? `${bounds[0]} to ${bounds[1]}` : 'as the policy says';
  const most = (count: number | null) => (count === null ? 'no bound' : count.toLocaleString('en'));
  const rows = KEY_TIERS.map((tier) => {
    const asked = TIERS.find(({ name }) => name === tier) ?? TIERS[0];
    const cells = [
      `${tier[0].toUpperCase()}${tier.slice(1)}`,
      range(asked.difficultyBits),
      range(asked.challengeTtlSecs),
      range(asked.passportTtlSecs),
      most(MOST_ROUTES[tier]),
      most(MONTHLY_QUOTAS[tier].verifications),
      most(MONTHLY_QUOTAS[tier]['ip-lookups']),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| tier | difficulty, bits | time to solve, s | passport, s | routes | verifications a month | IP look-ups a month |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

test('the table of tiers is the table of the code', () => {
  assert.ok(read('docs/access.md').includes(tierTable()), `docs/access.md should hold:\n${tierTable()}`);
});

test('the table of verdicts is the table of the code', () => {
  assert.ok(read('docs/gate.md').includes(verdictTable()), `docs/gate.md should hold:\n${verdictTable()}`);
});

test('the table of verified bots is the table of the code', () => {
  assert.ok(
    read('docs/gate.md').includes(verifiedBotTable()),
    `docs/gate.md should hold:\n${verifiedBotTable()}`,
  );
});

test('the table of metrics is the table of the code', () => {
  assert.ok(
    read('docs/metrics.md').includes(metricsTable()),
    `docs/metrics.md should hold:\n${metricsTable()}`,
  );
});

test('the load of the documentation is that of a policy which does not name it', () => {
  const [, json] = /```json\n"load": (\{.*\})\n```/.exec(read('docs/gate.md')) ?? [];
  const load = (file: object) => readPolicy({ ...file, routes: [] }, nodeDigest).load;
  assert.deepEqual(load({ load: JSON.parse(json) }), load({}));
});

test('the tables of the CAPTCHA services are those of the code', () => {
  for (const table of [captchaProviderTable(), captchaCodeTable()]) {
    assert.ok(read('docs/captcha.md').includes(table), `docs/captcha.md should hold:\n${table}`);
  }
});

test('the CAPTCHA configurations of the documentation are taken, one for each service', () => {
  const examples = [...read('docs/captcha.md').matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json);
  const names = examples.map((json) => readCaptchaConfig('docs/captcha.md', json).name);
  assert.deepEqual(names, [...PROVIDER_NAMES]);
});

test('the policy of the documentation is one that is taken', () => {
  const [, json] = /```json\n(\{\n {2}"defaults"[\s\S]*?)```/.exec(read('docs/gate.md')) ?? [];
  assert.equal(readPolicy(JSON.parse(json), nodeDigest).routes[0].id, 'archive');
});

test('the solver of the documentation solves', async () => {
  const [, code] = /```js\n([\s\S]*?)```/.exec(read('docs/gate.md')) ?? [];
  const { solve: documented } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const { gate } = createTestGate();
  const { challenge, difficulty_bits: bits } = gate.issue(null);
  assert.equal(documented(challenge, bits), solve(challenge));
});

test('every link between our pages leads somewhere', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    ...readdirSync(new URL('docs', root))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  for (const page of pages) {
    for (const [, target] of read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)) {
      assert.ok(
        read(new URL(target, new URL(page, root)).pathname.slice(new URL(root).pathname.length)).length > 0,
        `${page}: ${target}`,
      );
    }
  }
});
