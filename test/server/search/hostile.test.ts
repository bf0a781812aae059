import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { searchOperations } from '../../../server/search/routes.ts';
import { PROBLEMS, type ProblemCode } from '../../../server/wire/problem.ts';
import { createTestSearch, page } from '../../test-search.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const WRONG = 'A'.repeat(43);
const URL_OF_PAGE = 'https://example.org/a';

/** The operations that ask for the secret, from the declarations themselves: a new one is in the table at once. */
const owned = searchOperations.filter(({ problems }) => problems.includes('wrong-secret'));

type World = ReturnType<typeof createTestSearch>;

/** Calls an operation rightly but for what is given. */
function call(
  { request }: World,
  operation: (typeof owned)[number],
  siteId: string,
  query: Record<string, string>,
) {
  const path = operation.path.replace('{siteId}', siteId).replace('{pageId}', '0'.repeat(64));
  const needsUrl = operation.id === 'putSnapshot' || operation.id === 'deletePageByUrl';
  const isHtml = operation.bodyType === 'text/html';
  const payload = isHtml ? '<p>text' : operation.id === 'putPages' ? page('a') : {};
  return request({
    method: operation.method.toUpperCase() as 'GET',
    url: `${path}?${new URLSearchParams({ ...query, ...(needsUrl && { url: URL_OF_PAGE }) })}`,
    ...(operation.body && {
      headers: { 'content-type': isHtml ? 'text/html' : 'application/json' },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    }),
  });
}

describe('every operation of an owner', () => {
  test('is in the table', () => assert.equal(owned.length, 11));

  for (const operation of owned) {
    const name = `${operation.method.toUpperCase()} ${operation.path}`;

    for (const [title, query, siteId, code] of [
      ['no secret', {}, null, 'wrong-secret'],
      ['an empty secret', { siteSecret: '' }, null, 'wrong-secret'],
      ['a wrong secret', { siteSecret: WRONG }, null, 'wrong-secret'],
      ['a secret that is too long', { siteSecret: 'A'.repeat(5_000) }, null, 'wrong-secret'],
      ['an unknown site', { siteSecret: WRONG }, UNKNOWN, 'unknown-site'],
      ['a site that is no id', { siteSecret: WRONG }, '__proto__', 'unknown-site'],
      ['a site that is a path', { siteSecret: WRONG }, '%E2%80%AE..', 'unknown-site'],
    ] as [string, Record<string, string>, string | null, ProblemCode][]) {
      test(`${name}, ${title}: ${code}, nothing changed`, async () => {
        const world = createTestSearch();
        const site = await world.makeSite();
        await world.putPages(site, page('kept'));
        const before = JSON.stringify([...world.index.sites].map(([id, pages]) => [id, [...pages]]));
        const record = world.sites.get(site.siteId);

        const answer = await call(world, operation, siteId ?? site.siteId, query);
        assert.equal(answer.json().code, code, answer.body);
        assert.equal(answer.statusCode, PROBLEMS[code].status);
        assert.equal(JSON.stringify([...world.index.sites].map(([id, pages]) => [id, [...pages]])), before);
        assert.deepEqual(world.sites.get(site.siteId), record);
      });
    }

    test(`${name}: the secret of another site is wrong`, async () => {
      const world = createTestSearch();
      const [site, other] = [await world.makeSite(), await world.makeSite()];
      const answer = await call(world, operation, site.siteId, { siteSecret: other.siteSecret });
      assert.equal(answer.json().code, 'wrong-secret');
    });

    test(`${name}: a secret twice is refused, and is told nowhere`, async () => {
      const world = createTestSearch();
      const { siteId, siteSecret } = await world.makeSite();
      const answer = await call(world, operation, siteId, { siteSecret, 'siteSecret ': '' });
      assert.doesNotMatch(answer.body.replace(siteId, ''), new RegExp(siteSecret));
      const path = operation.path.replace('{siteId}', siteId).replace('{pageId}', '0'.repeat(64));
      const twice = await world.request({
        method: operation.method.toUpperCase() as 'GET',
        url: `${path}?siteSecret=${siteSecret}&siteSecret=${WRONG}&url=${URL_OF_PAGE}`,
      });
      assert.equal(twice.statusCode, 400);
      assert.ok(!twice.body.includes(siteSecret));
      assert.ok(!JSON.stringify(world.lines).includes(siteSecret));
      assert.equal(twice.headers['cache-control'], 'no-store');
    });
  }
});

describe('a wrong secret', () => {
  test('is refused before the body is read', async () => {
    const { request, makeSite } = createTestSearch();
    const { siteId } = await makeSite();
    // A body that could only be refused once it is read.
    const answer = await request({
      method: 'PUT',
      url: `/sites/${siteId}/pages?siteSecret=${WRONG}`,
      headers: { 'content-type': 'application/json' },
      payload: '{broken',
    });
    assert.equal(answer.statusCode, 403);
  });

  test('is throttled, the right one never', async () => {
    const world = createTestSearch({ secret: { calls: 3, secs: 60 } });
    const site = await world.makeSite();
    const wrong = () => world.request(`/sites/${site.siteId}/profile?siteSecret=${WRONG}`);
    for (let i = 0; i < 3; i++) assert.equal((await wrong()).statusCode, 403);
    const refused = await wrong();
    assert.equal(refused.statusCode, 429);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.equal((await world.request(world.pathOf(site, '/profile'))).statusCode, 200);
    // None at all is no guess.
    assert.equal((await world.request(`/sites/${site.siteId}/profile`)).statusCode, 403);
  });

  test('leaves no trace of the right one in the store', async () => {
    const { makeSite, sites } = createTestSearch();
    const { siteId, siteSecret } = await makeSite();
    assert.ok(!JSON.stringify(sites.get(siteId)).includes(siteSecret));
  });
});

describe('bodies of pages', () => {
  const json = { 'content-type': 'application/json' };
  const good = page('a');
  for (const [title, payload, headers, code, detail] of [
    ['no content type', JSON.stringify(good), {}, 'unsupported-media-type', /Content-Type/],
    ['HTML', '<p>', { 'content-type': 'text/html' }, 'unsupported-media-type', /Content-Type/],
    ['compressed', '{}', { ...json, 'content-encoding': 'gzip' }, 'unsupported-media-type', /Encoding/],
    ['empty', '', json, 'malformed-request', /JSON/],
    ['a text', '"x"', json, 'malformed-request', /body: .*expected object/],
    ['null', 'null', json, 'malformed-request', /body/],
    ['bad UTF-8', Buffer.from('{"title":"\xff"}', 'latin1'), json, 'malformed-request', /UTF-8/],
    ['UTF-16', Buffer.from(JSON.stringify(good), 'utf16le'), json, 'malformed-request', /UTF-8/],
    ['nested 100,000 deep', '['.repeat(100_000), json, 'malformed-request', /deep/],
    ['a million arrays', `[${'[],'.repeat(1e6)}[]]`, json, 'malformed-request', /values/],
    [
      '1,001 pages',
      JSON.stringify(Array(1_001).fill(good)),
      json,
      'malformed-request',
      /1000 items, got 1001/,
    ],
    ['33 MB', `"${'x'.repeat(33 * 1_048_576)}"`, json, 'body-too-large', /33554432/],
    ['no title', { ...good, title: undefined }, json, 'malformed-request', /body\.title: .*expected string/],
    ['a number for a title', { ...good, title: 1 }, json, 'malformed-request', /body\.title: .*number/],
    [
      'all in a prototype',
      '{"__proto__":{"title":"t","body":"b","url":"https://a.b/"}}',
      json,
      'malformed-request',
      /title/,
    ],
    ['neither title nor body', { ...good, title: ' ', body: '\n' }, json, 'malformed-request', /not empty/],
    ['a title of 1,025 bytes', { ...good, title: 'ü'.repeat(513) }, json, 'malformed-request', /1024 bytes/],
    ['a body above 1 MiB', { ...good, body: 'ü'.repeat(524_289) }, json, 'body-too-large', /1048576 bytes/],
    [
      'a URL of 2,049 bytes',
      { ...good, url: `https://a.b/${'x'.repeat(2_037)}` },
      json,
      'malformed-request',
      /2048 bytes/,
    ],
    [
      'a URL that grows',
      { ...good, url: `https://a.b/${'ü'.repeat(600)}` },
      json,
      'malformed-request',
      /2048 bytes/,
    ],
    ['a relative URL', { ...good, url: '/a' }, json, 'malformed-request', /absolute http/],
    ['a script for a URL', { ...good, url: 'javascript:alert(1)' }, json, 'malformed-request', /http/],
    ['a file for a URL', { ...good, url: 'file:///etc/passwd' }, json, 'malformed-request', /http/],
    ['a URL with a password', { ...good, url: 'https://u:p@a.b/' }, json, 'malformed-request', /password/],
    [
      'a picture that is a script',
      { ...good, thumbnail: 'data:text/html,x' },
      json,
      'malformed-request',
      /thumbnail/,
    ],
    ['a language that is none', { ...good, language: 'not a language' }, json, 'malformed-request', /BCP 47/],
    [
      '65 labels',
      { ...good, labels: Array.from({ length: 65 }, (_, i) => `${i}`) },
      json,
      'malformed-request',
      /labels/,
    ],
    ['an empty label', { ...good, labels: ['a', ' '] }, json, 'malformed-request', /labels\.1/],
    ['a label of 257 bytes', { ...good, labels: ['x'.repeat(257)] }, json, 'malformed-request', /256 bytes/],
    [
      'a day that is none',
      { ...good, published: '2024-02-31T00:00:00Z' },
      json,
      'malformed-request',
      /published/,
    ],
  ] as [string, unknown, Record<string, string>, ProblemCode, RegExp][]) {
    test(`${title}: ${code}`, async () => {
      const world = createTestSearch();
      const site = await world.makeSite();
      const answer = await world.request({
        method: 'PUT',
        url: world.pathOf(site, '/pages'),
        headers,
        payload: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload),
      });
      assert.equal(answer.json().code, code, answer.body.slice(0, 500));
      assert.match(answer.json().detail, detail);
      assert.ok(answer.body.length < 3_000, 'a refusal is short, whatever was sent');
      assert.equal((await world.index.size(site.siteId)).pages, 0);
    });
  }
});

describe('queries', () => {
  for (const [title, query, status] of [
    ['none', '', 400],
    ['twice', '?query=a&query=b', 400],
    ['above 1,024 bytes', `?query=${'%C3%BC'.repeat(513)}`, 400],
    ['1,024 bytes', `?query=${'%C3%BC'.repeat(512)}`, 200],
    ['empty', '?query=', 200],
    ['spaces', '?query=%20%09', 200],
    ['exclusion only', '?query=-a', 200],
    ['bad UTF-8', '?query=%FF%C3', 200],
    ['half a pair', '?query=%ED%A0%80', 200],
    ['a NUL', '?query=%00', 200],
    ['page 0', '?query=a&page=0', 400],
    ['page -1', '?query=a&page=-1', 400],
    ['page 1e3', '?query=a&page=1e3', 400],
    ['a page far away', '?query=a&page=9999999&limit=1000', 200],
    ['a page beyond all', '?query=a&page=99999999', 400],
    ['limit 0', '?query=a&limit=0', 400],
    ['limit 1000', '?query=a&limit=1000', 200],
    ['limit 1001', '?query=a&limit=1001', 400],
    ['limit twice', '?query=a&limit=1&limit=2', 400],
    ['an unknown order', '?query=a&sort=price', 400],
    ['65 labels', `?query=a${'&label=x'.repeat(65)}`, 400],
    ['a prototype', '?query=a&__proto__=x&constructor=y', 200],
  ] as const) {
    test(`${title}: ${status}`, async () => {
      const world = createTestSearch();
      const { siteId } = await world.makeSite();
      const answer = await world.request(`/sites/${siteId}/search${query}`);
      assert.equal(answer.statusCode, status, answer.body);
    });
  }

  for (const [path, status] of [
    [`/sites/${UNKNOWN}/search?query=a`, 404],
    [`/sites/${UNKNOWN}/autocomplete?query=a`, 404],
    ['/sites/__proto__/search?query=a', 404],
    ['/sites//search?query=a', 404],
    ['/sites/%2e%2e/search?query=a', 404],
    ['/sites/%2F/search?query=a', 400],
    ['/sites/%5c/search?query=a', 400],
    ['/sites/%zz/search?query=a', 400],
    [`/sites/${UNKNOWN}/%2e%2e/%2e%2e/sites/${UNKNOWN}/search?query=a`, 404],
    [`/sites/${UNKNOWN}/nothing`, 404],
  ] as const) {
    test(`${path}: ${status}`, async () => {
      const { request } = createTestSearch();
      assert.equal((await request(path)).statusCode, status);
    });
  }

  test('another method is 405 and says which there are', async () => {
    const { request } = createTestSearch();
    const answer = await request({ method: 'POST', url: `/sites/${UNKNOWN}/search` });
    assert.equal(answer.statusCode, 405);
    assert.equal(answer.headers.allow, 'GET, HEAD');
  });
});
