import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Address } from '../../../server/base/address.ts';
import { parseAddress } from '../../../server/base/address.ts';
import { VERDICTS, type Verdict } from '../../../server/pow/core/verdict.ts';
import { createScoreVerdict } from '../../../server/pow/score-verdict.ts';
import { createTestApp } from '../../test-app.ts';
import { createTestIntelligence } from '../../test-intelligence.ts';

const VISIT = {
  method: 'GET',
  path: '/',
  address: parseAddress('192.0.2.1') as Address,
  userAgent: 'x',
  keyId: null,
};

describe('the score in the verdict', () => {
  /** The verdict, which is the same whether the component answers at once or later. */
  const judge = async (verdict: Verdict, isOn: boolean, isRisky: boolean) => {
    const weigh = { isOn: () => isOn, isRisky: () => isRisky };
    const atOnce = createScoreVerdict({ verdictOf: () => verdict, ...weigh })(VISIT);
    const later = createScoreVerdict({ verdictOf: async () => verdict, ...weigh })(VISIT);
    assert.equal(typeof atOnce, 'string', 'nothing to wait for');
    assert.equal(await later, atOnce);
    return atOnce;
  };

  test('makes a bot of a risky suspect, and changes nothing else', async () => {
    assert.equal(await judge('suspect', true, true), 'bot');
    assert.equal(await judge('suspect', true, false), 'suspect');
    for (const verdict of Object.keys(VERDICTS) as Verdict[]) {
      assert.equal(await judge(verdict, false, true), verdict, 'off');
    }
    assert.equal(await judge('human', true, true), 'human');
    assert.equal(await judge('bot', true, false), 'bot');
  });

  test('is not asked where the policy does not want it', async () => {
    const never = () => assert.fail('asked');
    const verdictOf = createScoreVerdict({
      verdictOf: () => 'suspect',
      isOn: () => false,
      isRisky: never,
    });
    assert.equal(await verdictOf(VISIT), 'suspect');
  });
});

test('a Tor exit that sends no language pays the price of a bot, at the gate and at the challenge', async () => {
  const intelligence = createTestIntelligence();
  const { request } = createTestApp({
    trustedProxies: ['127.0.0.1'],
    verdictOf: createScoreVerdict({
      verdictOf: () => 'suspect',
      isOn: () => true,
      isRisky: ({ address, headers = {} }) =>
        intelligence.score({ address, headers, email: null }).decision === 'captcha',
    }),
  });
  const bitsFor = async (ip: string, language: object) => {
    const headers = {
      'x-forwarded-for': ip,
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      'accept-encoding': 'gzip',
      ...language,
    };
    const atGate = (await request({ url: '/demo/', headers })).json().challenge.difficulty_bits;
    const fetched = (await request({ url: '/pow/challenge?route=page', headers })).json().difficulty_bits;
    assert.equal(atGate, fetched);
    return atGate;
  };
  const usual = await bitsFor('84.1.2.3', {});
  assert.equal(await bitsFor('84.66.6.6', { 'accept-language': 'de' }), usual, 'Tor alone is no bot');
  assert.equal(await bitsFor('84.66.6.6', {}), usual + 4);
});
