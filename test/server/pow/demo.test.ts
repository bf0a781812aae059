import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestApp } from '../../test-app.ts';

test('the home page is told which site it searches', async () => {
  const siteId = '0b5b4b0e-6a3c-4f0e-9a44-0123456789ab';
  const { request } = createTestApp({ demoSearch: () => ({ siteId, state: 'filling', pages: 7 }) });
  assert.match((await request('/')).body, new RegExp(`data-site="${siteId}"`));
  const told = await request('/demo-search.json');
  assert.deepEqual(JSON.parse(told.body), { siteId, state: 'filling', pages: 7 });
  assert.equal(told.headers['cache-control'], 'no-store');
});

test('the home page is told of none where there is none', async () => {
  const { request } = createTestApp();
  assert.match((await request('/')).body, /data-site=""/);
  assert.equal((await request('/demo-search.json')).statusCode, 404);
});
