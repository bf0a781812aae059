import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutboundError } from '../../server/base/outbound.ts';
import { createOutbound } from '../../server/outbound/guarded-fetch.ts';
import { readAllowed } from '../../server/outbound/reach.ts';
import { openOwnOrigin } from '../../server/own-origin.ts';
import { openSite } from '../crawl-world.ts';
import { createTestTimer } from '../test-timer.ts';

test('its own origin is reached and nothing else that is private: no other port, name or redirect', async () => {
  const site = await openSite({
    '/': 'own',
    '/away': { status: 302, headers: { location: 'http://169.254.169.254/' } },
  });
  const other = await openSite({ '/': 'other' });
  const timer = createTestTimer();
  const guarded = createOutbound({
    allow: readAllowed([]),
    timer,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  const own = openOwnOrigin(guarded, timer);
  const early = own.outbound(site.url());
  own.open(`http://127.0.0.1:${site.port}/`);
  assert.equal(await (await early).text(), 'own', 'who asks before it listens waits');

  const refused = async (url: string) => {
    await assert.rejects(own.outbound(url, { redirect: 'manual' }), (error) => {
      assert.ok(error instanceof OutboundError);
      assert.equal(error.reason, 'refused-address', url);
      return true;
    });
  };
  await refused(other.url());
  await refused(`http://localhost:${site.port}/`);
  await refused(`http://bound-anew.test:${site.port}/`);
  await refused(`https://127.0.0.1:${site.port}/`);
  await refused('http://169.254.169.254/');
  const away = await own.outbound(site.url('/away'), { redirect: 'manual' });
  assert.equal(away.status, 302);
  await assert.rejects(own.outbound(site.url('/away')), { reason: 'redirect' });
  await assert.rejects(own.outbound(site.url('/away'), { redirect: 'follow' }), { reason: 'redirect' });
  assert.deepEqual(other.asked, []);

  await Promise.all([own.close(), guarded.close(), site.close(), other.close()]);
});
