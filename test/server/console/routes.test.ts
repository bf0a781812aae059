import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTestConsole } from '../../test-console.ts';
import { page } from '../../test-search.ts';

const EVIL = '<img src=x onerror=alert(1)>';

describe('keys', () => {
  test('are issued, used, listed with their use, and revoked', async () => {
    const { openPage, request } = createTestConsole();
    const { call } = await openPage();
    const made = await call('POST', '/console/api/keys', {
      tier: 'pro',
      tenant: 'Shop',
      routes: ['page', 'page'],
    });
    assert.equal(made.statusCode, 201);
    assert.equal(made.headers['cache-control'], 'no-store');
    const { key, keyId } = made.json();
    const headers = { 'x-api-key': key };
    assert.equal((await request({ url: '/whois.json?queryIP=84.0.0.1', headers })).statusCode, 200);

    const listed = await call('GET', '/console/api/keys');
    assert.deepEqual(listed.json().routes, ['page', 'call']);
    const [view] = listed.json().keys;
    assert.deepEqual(
      { ...view, issued: null },
      {
        keyId,
        tier: 'pro',
        tenant: 'Shop',
        routes: ['page'],
        issued: null,
        revoked: null,
        usage: [
          { meter: 'ip-lookups', used: 1, quota: null },
          { meter: 'verifications', used: 0, quota: 1_000_000 },
        ],
      },
    );
    // Neither the secret nor its hash.
    const secret = key.split('_')[2];
    assert.ok(!listed.body.includes(secret) && !listed.body.includes('ecretHash'));

    assert.equal((await call('DELETE', `/console/api/keys/${keyId}`)).statusCode, 204);
    assert.equal((await request({ url: '/whois.json?queryIP=84.0.0.1', headers })).statusCode, 401);
    assert.ok((await call('GET', '/console/api/keys')).json().keys[0].revoked);
  });

  for (const [title, body, status] of [
    ['an unknown tier', { tier: 'gold', tenant: 'x' }, 400],
    ['a tenant of markup', { tier: 'free', tenant: EVIL }, 400],
    ['no tenant', { tier: 'free' }, 400],
    ['a route that nothing gates', { tier: 'pro', tenant: 'x', routes: ['nowhere'] }, 400],
    ['routes for a tier without', { tier: 'free', tenant: 'x', routes: ['page'] }, 400],
  ] as const) {
    test(`are not issued for ${title}`, async () => {
      const { openPage, access } = createTestConsole();
      const { call } = await openPage();
      assert.equal((await call('POST', '/console/api/keys', body)).statusCode, status);
      assert.deepEqual(await access.list(), []);
    });
  }

  test('that nobody issued cannot be revoked', async () => {
    const { call } = await createTestConsole().openPage();
    for (const id of ['0123456789ab', '__proto__', encodeURIComponent(EVIL)]) {
      assert.equal((await call('DELETE', `/console/api/keys/${id}`)).statusCode, 404);
    }
  });
});

describe('sites', () => {
  test('are made, filled, tried without being counted, and deleted', async () => {
    const { openPage, putPages, find } = createTestConsole();
    const { call } = await openPage();
    const site = (await call('POST', '/console/api/sites', { tenant: 'Shop' })).json();
    assert.equal((await putPages(site, [page('a', { title: EVIL, body: 'some words' })])).statusCode, 200);

    const [view] = (await call('GET', '/console/api/sites')).json().sites;
    assert.equal(view.siteId, site.siteId);
    assert.deepEqual([view.tenant, view.host, view.pages, view.ends], ['Shop', 'example.org', 1, null]);

    const tried = (await call('GET', `/console/api/sites/${site.siteId}/search?query=words`)).json();
    assert.equal(tried.total, 1);
    // As plain text: the page marks the ranges by itself.
    assert.equal(tried.results[0].title.text, EVIL);
    assert.deepEqual(tried.results[0].snippet, { text: 'some words', ranges: [[5, 10]] });

    await find(site, 'words');
    await find(site, 'nothing here');
    const queries = (await call('GET', `/console/api/sites/${site.siteId}/queries`)).json();
    assert.deepEqual([queries.queries, queries.withoutResult], [2, 1]);
    assert.deepEqual(queries.topWithoutResult, [{ query: 'nothing here', count: 1 }]);
    assert.equal(queries.days.length, 30);
    assert.equal(queries.days[0].day, queries.since);
    assert.deepEqual(queries.days.at(-1), { day: '2026-01-01', queries: 2, withoutResult: 1 });

    assert.equal((await call('DELETE', `/console/api/sites/${site.siteId}`)).statusCode, 204);
    assert.deepEqual((await call('GET', '/console/api/sites')).json().sites, []);
    assert.equal((await call('GET', `/console/api/sites/${site.siteId}/queries`)).statusCode, 404);
  });

  test('of all tenants and pilots are listed, page by page', async () => {
    const { openPage } = createTestConsole();
    const { call } = await openPage();
    for (let i = 0; i < 101; i++)
      await call('POST', '/console/api/sites', { tenant: i % 2 ? null : `t${i}` });
    const first = (await call('GET', '/console/api/sites')).json();
    assert.equal(first.sites.length, 100);
    const second = (await call('GET', `/console/api/sites?after=${first.next}`)).json();
    assert.deepEqual([second.sites.length, second.next], [1, null]);
    const pilot = [...first.sites, ...second.sites].find(({ tenant }) => tenant === null);
    assert.equal(pilot.ends, '2026-01-15T00:00:00.000Z');
  });

  test('have settings that are read, replaced, and refused where they are wrong', async () => {
    const { openPage, makeSite } = createTestConsole();
    const { siteId } = await makeSite();
    const { call } = await openPage();
    const url = `/console/api/sites/${siteId}/profile`;
    const profile = { configs: [], recrawlHours: 24, synonyms: [['car', 'auto']], retentionDays: 30 };
    assert.deepEqual((await call('PUT', url, profile)).json(), profile);
    assert.deepEqual((await call('GET', url)).json(), profile);
    for (const wrong of [
      { ...profile, retentionDays: 0 },
      { ...profile, configs: [{ url: 'javascript:alert(1)' }] },
      { ...profile, configs: [{ url: 'https://example.org/', pageBodyCssSelector: 'p::before' }] },
    ]) {
      assert.equal((await call('PUT', url, wrong)).statusCode, 400, JSON.stringify(wrong));
    }
    assert.deepEqual((await call('GET', url)).json(), profile);
  });
});

describe('look-ups', () => {
  test('tell place, provider and score of an address', async () => {
    const { call } = await createTestConsole().openPage();
    const answer = (await call('GET', '/console/api/ip?address=5.9.1.1')).json();
    assert.equal(answer.whois.asn.number, 24940);
    assert.equal(answer.whois.extended.isHosting, true);
    assert.equal(answer.decision, 'accept');
    assert.deepEqual(
      answer.reasons.map(({ code }: { code: string }) => code),
      ['hosting-network'],
    );
  });

  test('need one address', async () => {
    const { call } = await createTestConsole().openPage();
    for (const query of [
      '',
      '?address=',
      '?address=example.org',
      '?address=1.1.1.1&address=2.2.2.2',
      `?address=${encodeURIComponent(EVIL)}`,
    ]) {
      assert.equal((await call('GET', `/console/api/ip${query}`)).statusCode, 400, query);
    }
  });
});

describe('the gate', () => {
  test('is counted as it happens', async () => {
    const { openPage, request } = createTestConsole();
    const { call } = await openPage();
    await request('/pow/challenge');
    await request('/demo/x');
    const { totals, refusedBy, hour } = (await call('GET', '/console/api/gate')).json();
    assert.equal(totals.issued, 2);
    assert.deepEqual(refusedBy, [{ name: 'proof-required', count: 1 }]);
    assert.equal(hour.issued.at(-1), 2);
  });
});

test('the console is never challenged, and stays out of the public description', async () => {
  const { openPage, usePolicy, request } = createTestConsole();
  usePolicy({ routes: [{ id: 'all', paths: ['/*'] }] });
  assert.equal((await request('/console')).statusCode, 200);
  assert.equal((await (await openPage()).call('GET', '/console/api/keys')).statusCode, 200);
  usePolicy({ routes: [] });
  assert.ok(!(await request('/openapi.json')).body.includes('/console'));
});
