import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestApp } from '../../test-app.ts';

test('the home page is told which site it searches', async () => {
  const demoSiteId = '0b5b4b0e-6a3c-4f0e-9a44-0123456789ab';
  const { body } = await createTestApp({ demoSiteId: () => demoSiteId }).request('/');
  assert.match(body, new RegExp(`data-site="${demoSiteId}"`));
});

test('the home page is told of none where there is none', async () => {
  const { body } = await createTestApp().request('/');
  assert.match(body, /data-site=""/);
});
