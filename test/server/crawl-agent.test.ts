import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCrawlAgent } from '../../server/crawl-agent.ts';

test('a token alone gets the version, a whole User-Agent stays and begins with its token', () => {
  const read = (name: string) => readCrawlAgent({ CRAWL_USER_AGENT: name }, '1.2.3');
  assert.deepEqual(read('GatehouseBot'), { token: 'GatehouseBot', userAgent: 'GatehouseBot/1.2.3' });
  assert.deepEqual(read('ShopBot/2 (+https://shop.example/bot)'), {
    token: 'ShopBot',
    userAgent: 'ShopBot/2 (+https://shop.example/bot)',
  });
});
