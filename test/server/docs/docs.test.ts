import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chatOperations } from '../../../server/chat/routes.ts';
import { feedOperations } from '../../../server/crawl/feeds/routes.ts';
import { crawlOperations } from '../../../server/crawl/routes.ts';
import { deviceOperations } from '../../../server/devices/routes.ts';
import { EXAMPLES } from '../../../server/docs/api-examples.ts';
import { cutSection, readLibrary } from '../../../server/docs/library.ts';
import { ipOperations } from '../../../server/ip/routes.ts';
import { captchaOperation } from '../../../server/pow/captcha.ts';
import { powOperations } from '../../../server/pow/routes.ts';
import { siteverifyOperation } from '../../../server/pow/siteverify.ts';
import { searchOperations } from '../../../server/search/routes.ts';
import type { Operation } from '../../../server/wire/operation.ts';
import { createTestSearch } from '../../test-search.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const library = readLibrary(root);
const world = createTestSearch({ library, trustedProxies: ['127.0.0.1'] });
const { request } = world;

const addresses = async () => {
  const { body } = await request('/docs/sitemap.xml');
  return [...body.matchAll(/<loc>http:\/\/localhost(?::80)?([^<]+)<\/loc>/g)].map(([, path]) => path);
};

test('every page of the documentation is served and in the sitemap', async () => {
  const found = await addresses();
  const files = readdirSync(`${root}/docs`).filter((name) => name.endsWith('.md'));
  assert.ok(files.length >= 13);
  for (const file of files) assert.ok(found.includes(`/docs/${file.slice(0, -3)}`), file);
  for (const path of ['/docs/', '/docs/api', '/docs/security', '/docs/figures', '/docs/changelog']) {
    assert.ok(found.includes(path), path);
  }
  assert.equal(new Set(found).size, found.length);
});

test('a section of the front page is a page, its headings a step higher', () => {
  const front = '# A\n\nx\n\n## One\n\ny\n\n### Deep\n\nz\n\n## Two\n\n# no\n';
  assert.equal(cutSection(front, 'One'), '# One\n\ny\n\n## Deep\n\nz\n\n');
  assert.equal(cutSection(front, 'On'), null);
});

test('every link of every page leads to something that is there, anchors included', async () => {
  const pages = new Map<string, string>();
  for (const path of await addresses()) {
    const answer = await request(path);
    assert.equal(answer.statusCode, 200, path);
    pages.set(path, answer.body);
  }
  for (const [path, html] of pages) {
    for (const [, href] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^(https?|mailto):/.test(href)) continue;
      const [target, hash] = href.split('#');
      const aim = target === '' ? html : pages.get(target);
      if (aim === undefined) assert.equal((await request(target)).statusCode, 200, `${path}: ${href}`);
      else if (hash !== undefined) {
        assert.ok(aim.includes(` id="${decodeURIComponent(hash)}"`), `${path}: no ${href}`);
      }
    }
  }
});

test('no link of the documentation lost its way', () => {
  for (const { name, html } of library.pages) assert.doesNotMatch(html, /<span>/, name);
});

test('headings go down one step at a time, below one title', async () => {
  for (const path of await addresses()) {
    const levels = [...(await request(path)).body.matchAll(/<h([1-6])[ >]/g)].map(([, level]) =>
      Number(level),
    );
    assert.equal(levels[0], 1, path);
    assert.equal(levels.filter((level) => level === 1).length, 1, path);
    levels.reduce((before, level) => {
      assert.ok(level <= before + 1, `${path}: h${before}, then h${level}`);
      return level;
    });
  }
});

test('ids on a page are its own', async () => {
  for (const path of await addresses()) {
    const ids = [...(await request(path)).body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.deepEqual(ids, [...new Set(ids)], path);
  }
});

test('each page has a title and a description of its own', async () => {
  const pages = await Promise.all((await addresses()).map(async (path) => (await request(path)).body));
  for (const pattern of [/<title>([^<]+)/, /name="description" content="([^"]+)"/]) {
    const told = pages.map((html) => pattern.exec(html)?.[1]);
    assert.ok(told.every((text) => text !== undefined && text.length > 1));
    assert.equal(new Set(told).size, told.length);
  }
});

test('a page is sent under the policy of all pages', async () => {
  const { headers } = await request('/docs/gate');
  assert.match(String(headers['content-security-policy']), /default-src 'self';.*require-trusted-types-for/);
  assert.match(String(headers['content-type']), /^text\/html/);
});

describe('what is not there is 404, and nothing outside is reached', () => {
  for (const path of [
    '/docs/nope',
    '/docs/GATE',
    '/docs/gate.md',
    '/docs/constructor',
    '/docs/__proto__',
    '/docs/images/nope.png',
    '/docs/images/',
    '/docs/a/b',
    '/docs/.env',
  ]) {
    test(path, async () => assert.equal((await request(path)).statusCode, 404));
  }
  for (const path of [
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/docs/images/..%5cx.png',
  ]) {
    test(path, async () => assert.equal((await request(path)).statusCode, 400));
  }
  for (const path of ['/docs/../package.json', '/docs/%2e%2e/package.json']) {
    test(path, async () => assert.equal((await request(path)).statusCode, 404));
  }
});

test('a page has one address', async () => {
  for (const [path, address] of [
    ['/docs', '/docs/'],
    ['/docs/gate/', '/docs/gate'],
    ['/DOCS/api/', '/docs/api'],
  ]) {
    const answer = await request(path);
    assert.deepEqual([answer.statusCode, answer.headers.location], [308, address]);
  }
});

test('nothing is served where the operator does not ask for it', async () => {
  const bare = createTestSearch();
  for (const path of ['/docs/', '/docs/api', '/docs/sitemap.xml', '/robots.txt']) {
    assert.equal((await bare.request(path)).statusCode, 404, path);
  }
  const documented = createTestSearch({ library, isDemo: false });
  assert.equal((await documented.request('/docs/')).statusCode, 200);
  assert.equal((await documented.request('/robots.txt')).statusCode, 404);
});

test('robots.txt names the sitemap and a category for every page', async () => {
  const { body } = await request('/robots.txt');
  assert.match(body, /^Sitemap: http:\/\/localhost(:80)?\/docs\/sitemap\.xml$/m);
  assert.match(body, /^Category: "IP intelligence" \/docs\/ip\$$/m);
  const labelled = [...body.matchAll(/^Category: (?:"[^"]+"|\S+) (\S+)\$$/gm)].map(([, path]) => path);
  assert.deepEqual(labelled.sort(), (await addresses()).filter((path) => path !== '/docs/').sort());
});

test('addresses are https where a trusted proxy says so, and a hostile Host reaches no page', async () => {
  const sitemap = async (headers: Record<string, string>) =>
    (await request({ url: '/docs/sitemap.xml', headers })).body;
  assert.match(
    await sitemap({ host: 'a.example', 'x-forwarded-proto': 'https' }),
    /<loc>https:\/\/a\.example\/docs\//,
  );
  assert.match(
    await sitemap({ host: 'a.example', 'x-forwarded-proto': 'javascript' }),
    /<loc>http:\/\/a\.example\//,
  );
  for (const host of ['a"><script>', 'a/b', 'a b', 'a$(id)', "a';id;'"]) {
    assert.match(await sitemap({ host }), /<loc>http:\/\/localhost\/docs\//, host);
  }
  const stranger = createTestSearch({ library });
  const { body } = await stranger.request({
    url: '/docs/sitemap.xml',
    headers: { 'x-forwarded-proto': 'https' },
  });
  assert.doesNotMatch(body, /https:/);
});

test('the reference has every operation, with a command', async () => {
  const [{ body: html }, document] = [await request('/docs/api'), (await request('/openapi.json')).json()];
  const operations = Object.values(document.paths as object).flatMap((byMethod) => Object.values(byMethod));
  assert.ok(operations.length > 20);
  for (const { operationId } of operations as { operationId: string }[]) {
    assert.ok(html.includes(`<h3 id="${operationId}">`), operationId);
  }
  assert.equal(html.split('<code>curl ').length - 1, operations.length);
  assert.doesNotMatch(html, /undefined|\[object/);
});

describe('the examples of the reference', () => {
  const operations: readonly Operation[] = [
    ...powOperations,
    ...ipOperations,
    ...searchOperations,
    ...feedOperations,
    ...crawlOperations,
    ...chatOperations,
    ...deviceOperations,
    siteverifyOperation,
    captchaOperation,
  ];
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  for (const [id, { query, body }] of Object.entries(EXAMPLES)) {
    test(`${id} is taken by its schemas`, () => {
      const operation = byId.get(id);
      assert.ok(operation, 'there is no such operation');
      if (query)
        operation.query?.parse({ siteSecret: 's', ...Object.fromEntries(new URLSearchParams(query)) });
      if (body !== undefined) assert.ok(operation.body?.safeParse(body).success);
    });
  }
  test('there is one for every operation that takes a body', () => {
    for (const { id, body, isBodyOptional } of operations)
      if (body && !isBodyOptional) assert.ok(EXAMPLES[id]?.body !== undefined, id);
  });
});

test('in openapi.json every reference leads somewhere', async () => {
  const { body } = await request('/openapi.json');
  const { components } = JSON.parse(body);
  const names = [...body.matchAll(/"\$ref":"([^"]+)"/g)].map(([, name]) => name);
  assert.ok(names.length > 50);
  for (const name of names) {
    assert.ok(Object.hasOwn(components.schemas, name.replace('#/components/schemas/', '')), name);
  }
  assert.doesNotMatch(body, /"definitions"/);
});
