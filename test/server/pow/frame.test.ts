import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTestApp } from '../../test-app.ts';

const SITE = 'https://site.example';
const OTHER = 'https://other.example:8443';
const app = () => createTestApp({ allowedOrigins: [SITE, OTHER] });
const ancestorsOf = (policy: unknown) => /frame-ancestors ([^;]*)/.exec(String(policy))?.[1];

describe('the frame', () => {
  test('comes for an allowed origin, which it names', async () => {
    const answer = await app().request(`/pow/frame?origin=${encodeURIComponent(SITE)}`);
    assert.equal(answer.statusCode, 200);
    assert.match(answer.body, /data-origin="https:\/\/site\.example"/);
    assert.equal(answer.headers['cache-control'], 'no-cache');
  });

  test('comes without an origin, for our own pages', async () => {
    const answer = await app().request('/pow/frame');
    assert.equal(answer.statusCode, 200);
    assert.match(answer.body, /data-origin=""/);
  });

  test('may be framed by the allowed origins and our own, by no other', async () => {
    const answer = await app().request('/pow/frame');
    assert.equal(ancestorsOf(answer.headers['content-security-policy']), `'self' ${SITE} ${OTHER}`);
    const closed = await createTestApp().request('/pow/frame');
    assert.equal(ancestorsOf(closed.headers['content-security-policy']), "'self'");
  });

  test('is the one page that others may frame', async () => {
    const { request } = app();
    for (const url of ['/', '/demo/', '/widget/']) {
      const answer = await request({ url, headers: { accept: 'text/html', origin: SITE } });
      assert.match(String(answer.headers['content-type']), /html/, url);
      assert.equal(ancestorsOf(answer.headers['content-security-policy']), "'self'", url);
    }
  });

  for (const origin of [
    'https://evil.example',
    'https://site.example.evil.example',
    'https://site.example/',
    'HTTPS://SITE.EXAMPLE',
    'null',
    '*',
    "'none'",
    '"><script>',
  ]) {
    test(`is refused to ${origin}`, async () => {
      const answer = await app().request(`/pow/frame?origin=${encodeURIComponent(origin)}`);
      assert.equal(answer.statusCode, 403);
      assert.equal(answer.json().code, 'origin-not-allowed');
    });
  }

  test('is refused to two origins at once', async () => {
    const answer = await app().request(`/pow/frame?origin=${SITE}&origin=${SITE}`);
    assert.equal(answer.statusCode, 400);
  });

  test('tells a page of any origin whether it is allowed', async () => {
    const answer = await app().request({
      url: '/pow/frame?origin=https://evil.example',
      headers: { origin: 'https://evil.example' },
    });
    assert.equal(answer.statusCode, 403);
    assert.equal(answer.headers['access-control-allow-origin'], '*');
    assert.equal(answer.headers['access-control-allow-credentials'], undefined);
  });

  test('is not behind the gate, whatever the policy says, and takes no other method', async () => {
    const { request } = app();
    assert.equal((await request('/POW//frame/')).statusCode, 200);
    assert.equal((await request({ url: '/pow/frame', method: 'POST' })).statusCode, 405);
  });
});

describe('the shared scripts', () => {
  for (const path of ['/pow/widget.js', '/pow/fetch.js']) {
    test(`${path} is loaded by any page and asked for again in minutes`, async () => {
      const { request } = app();
      const answer = await request({ url: path, headers: { origin: 'https://any.example' } });
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
      assert.equal(answer.headers['access-control-allow-origin'], '*');
      assert.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin');
      assert.equal(answer.headers['cache-control'], 'public, max-age=300');
      const again = await request({ url: path, headers: { 'if-none-match': String(answer.headers.etag) } });
      assert.equal(again.statusCode, 304);
      assert.equal(again.body, '');
    });
  }

  test('what carries a hash in its name is kept for good, and stays on its own origin', async () => {
    const answer = await app().request({
      url: '/pow/assets/home-abc.js',
      headers: { origin: 'https://any.example' },
    });
    assert.match(String(answer.headers['cache-control']), /immutable/);
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
    assert.equal(answer.headers['cross-origin-resource-policy'], undefined);
  });
});
