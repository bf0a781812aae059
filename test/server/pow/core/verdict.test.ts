import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  bitsUnder,
  builtInVerdict,
  DECLARED_BOTS,
  VERDICTS,
  type Verdict,
} from '../../../../server/pow/core/verdict.ts';

const of = (userAgent: string) => builtInVerdict({ userAgent });

describe('the built-in verdict', () => {
  for (const userAgent of [
    '',
    '   ',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0 Safari/537.36',
    'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
    'Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)',
    'CCBot/2.0 (https://commoncrawl.org/faq/)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
    'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)',
    'Scrapy/2.11 (+https://scrapy.org)',
    'Mozilla/5.0 (compatible; heritrix/3.4 +http://example.org)',
    'my-crawler/0.1',
    'Crawlers',
    'GatehouseBot/0.1',
    'Screaming Frog SEO Spider/19.0',
    'crawler4j (https://github.com/yasserg/crawler4j/)',
    'GOOGLEBOT',
    'Cubot Googlebot/2.1',
    'notcubot/1',
  ]) {
    test(`${JSON.stringify(userAgent.slice(0, 70))} is a bot`, () => assert.equal(of(userAgent), 'bot'));
  }

  for (const userAgent of [
    'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Linux; Android 9; CUBOT_X18_Plus) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; Android 11; CUBOT KINGKONG 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; Android 10; CUBOT) AppleWebKit/537.36',
    'Mozilla/5.0 (Linux; Android 13; Pixel 7; wv) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36 [Pinterest/Android]',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/130.0 Safari/537.36',
    'curl/8.5.0',
    'git/2.43.0',
    'FeedReader/2.0 (Abbott Botany)',
    'python-requests/2.32',
    'node',
  ]) {
    test(`${JSON.stringify(userAgent.slice(0, 70))} is suspect`, () =>
      assert.equal(of(userAgent), 'suspect'));
  }

  test('never says human, and a declared name is found in any case and place', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...DECLARED_BOTS), fc.string(), (before, token, after) => {
        assert.notEqual(of(before) as Verdict, 'human');
        assert.equal(of(before + token.toUpperCase() + after), 'bot');
      }),
    );
  });

  test('is linear in a long User-Agent', () => {
    const startedAt = process.hrtime.bigint();
    of('cubo'.repeat(250_000));
    of('bota'.repeat(250_000));
    // Milliseconds where it is linear; hours where it is quadratic.
    assert.ok(process.hrtime.bigint() - startedAt < 2_000_000_000n);
  });

  test('every declared name is lower case, and no other covers it', () => {
    for (const token of DECLARED_BOTS) {
      assert.equal(token, token.toLowerCase());
      const others = DECLARED_BOTS.filter((other) => other !== token && token.includes(other));
      assert.deepEqual(others, [], token);
      assert.doesNotMatch(token, /(bot|crawler|spider)s?(?![a-z])/, `${token} has the generic word`);
    }
  });
});

describe('the bits under a verdict', () => {
  const verdict = fc.constantFrom(...(Object.keys(VERDICTS) as Verdict[]));

  test('are never fewer than the policy takes, nor more than 32', () => {
    fc.assert(
      fc.property(verdict, fc.integer({ min: 1, max: 32 }), (judged, bits) => {
        const taken = bitsUnder(judged, bits);
        assert.ok(taken >= bits && taken <= 32);
        assert.ok(taken <= bitsUnder('bot', bits));
      }),
    );
  });

  test('are four more for a bot, and the same for others', () => {
    assert.deepEqual(
      [bitsUnder('bot', 20), bitsUnder('bot', 30), bitsUnder('suspect', 20), bitsUnder('human', 20)],
      [24, 32, 20, 20],
    );
  });
});
