import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const SOLVE_MS = 120_000;

let browser: Browser;
let server: ServerProcess;
before(async () => {
  // What the browser sends as X-Forwarded-For is then its network: it roams without a second network.
  const env = { TRUSTED_PROXIES: '127.0.0.1,::1', ADMIN_KEY: 'an-admin-key-of-the-tests' };
  [browser, server] = await Promise.all([launchChromium(), startServer(env)]);
});
after(async () => {
  await browser.close();
  await server.end('SIGKILL');
});

test('a browser that changes networks pays a sixteenth, comes back to its page, and is then at home in both', async () => {
  const context = await browser.newContext();
  context.setDefaultTimeout(SOLVE_MS);
  try {
    const page = await context.newPage();
    const arrive = async (address: string) => {
      // To the same address with a fragment would be no navigation.
      await page.goto('about:blank');
      await context.setExtraHTTPHeaders({ 'x-forwarded-for': address });
      const answer = await page.goto(`${server.url}/demo/?from=a#there`);
      await page.locator('#admission').waitFor();
      assert.equal(page.url(), `${server.url}/demo/?from=a#there`);
      return { status: answer?.status(), asked: answer?.headers()['www-authenticate'] };
    };
    const first = await arrive('192.0.2.1');
    assert.deepEqual(first, { status: 401, asked: 'PoW realm="demo", difficulty=20, mode="passport"' });
    const [won] = await context.cookies(server.url);

    const roamed = await arrive('2001:db8::1');
    assert.deepEqual(roamed, { status: 401, asked: 'PoW realm="demo", difficulty=16, mode="passport"' });
    const [both] = await context.cookies(server.url);
    assert.notEqual(both.value, won.value);
    assert.ok(both.expires <= won.expires + 2, 'it lives no longer than the first');
    for (const address of ['192.0.2.2', '2001:db8::2', '192.0.2.3']) {
      assert.equal((await arrive(address)).status, 200);
    }

    const metrics = await fetch(`${server.url}/metrics`, {
      headers: { authorization: 'Bearer an-admin-key-of-the-tests' },
    });
    const text = await metrics.text();
    for (const sample of [
      'gatehouse_challenges_solved_total{bits="20",rebinding="no"} 1',
      'gatehouse_challenges_solved_total{bits="16",rebinding="yes"} 1',
      'gatehouse_admitted_total{route="demo",how="passport"} 5',
      'gatehouse_refused_total{route="demo",code="passport-network-mismatch"} 1',
      'gatehouse_load_extra_bits 0',
      'gatehouse_spent_seconds_count{result="first"} 3',
    ]) {
      assert.ok(text.split('\n').includes(sample), `${sample} in\n${text.replace(/^.*_bucket.*\n/gm, '')}`);
    }
    assert.match(text, /^nodejs_eventloop_lag_seconds /m);
    assert.equal((await fetch(`${server.url}/metrics`)).status, 401);
  } finally {
    await context.close();
  }
});
