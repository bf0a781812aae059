import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCrawlAgent } from '../../server/crawl-agent.ts';

const ABOUT = 'https://gatehouse.example/docs/crawl';

for (const [name, token, userAgent] of [
  ['GatehouseBot', 'GatehouseBot', `GatehouseBot/1.2.3 (+${ABOUT})`],
  ['ShopBot/2', 'ShopBot', `ShopBot/2 (+${ABOUT})`],
  ['ShopBot (+https://shop.example/bot)', 'ShopBot', 'ShopBot/1.2.3 (+https://shop.example/bot)'],
  ['ShopBot/2 (+https://shop.example/bot)', 'ShopBot', 'ShopBot/2 (+https://shop.example/bot)'],
  ['Shop-Bot/2 friendly', 'Shop-Bot', `Shop-Bot/2 friendly (+${ABOUT})`],
]) {
  test(`${name} asks as ${userAgent}`, () => {
    assert.deepEqual(readCrawlAgent({ CRAWL_USER_AGENT: name }, '1.2.3', ABOUT), { token, userAgent });
  });
}

test('without an address of the project none is made up', () => {
  assert.equal(
    readCrawlAgent({ CRAWL_USER_AGENT: 'GatehouseBot' }, '1.2.3', null).userAgent,
    'GatehouseBot/1.2.3',
  );
});
