import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findInEmail } from '../../../../server/ip/core/email.ts';
import { findInHeaders, readHeaders } from '../../../../server/ip/core/headers.ts';
import {
  botLikelihoodOf,
  findInAddress,
  type NetworkKind,
  scoreFindings,
} from '../../../../server/ip/core/risk.ts';
import { REASONS, type ReasonCode } from '../../../../server/ip/core/weights.ts';

const CODES = Object.keys(REASONS) as ReasonCode[];
const found = (codes: readonly ReasonCode[]) => codes.map((code) => ({ code, detail: code }));
const subset = fc.subarray(CODES);

test('one more reason never lowers the score', () => {
  fc.assert(
    fc.property(subset, fc.constantFrom(...CODES), (codes, more) => {
      const [before, after] = [codes, [...codes, more]].map((some) => scoreFindings(found(some)).fraud);
      assert.ok(after >= before);
    }),
  );
});

test('the order of the reasons, and one that comes twice, change nothing', () => {
  fc.assert(
    fc.property(
      subset.chain((codes) =>
        fc.tuple(fc.constant(codes), fc.shuffledSubarray(codes, { minLength: codes.length })),
      ),
      ([codes, shuffled]) => {
        assert.deepEqual(scoreFindings(found([...shuffled, ...shuffled])), scoreFindings(found(codes)));
      },
    ),
  );
});

test('the score is the capped sum of the weights that it shows', () => {
  fc.assert(
    fc.property(subset, (codes) => {
      const { fraud, reasons } = scoreFindings(found(codes));
      const sum = reasons.reduce((total, { weight }) => total + Math.round(weight * 100), 0);
      assert.equal(fraud, Math.min(100, sum) / 100);
      assert.deepEqual(reasons.map(({ code }) => code).toSorted(), codes.toSorted());
    }),
  );
});

test('each reason alone has its own weight, and none alone asks for a CAPTCHA', () => {
  for (const code of CODES) {
    const risk = scoreFindings(found([code]));
    assert.equal(risk.fraud, REASONS[code].hundredths / 100, code);
    assert.notEqual(risk.decision, 'captcha', code);
  }
});

test('the decision turns exactly at its thresholds', () => {
  const decisionAt = (codes: readonly ReasonCode[]) => {
    const { fraud, decision } = scoreFindings(found(codes));
    return [fraud, decision];
  };
  assert.deepEqual(decisionAt([]), [0, 'accept']);
  assert.deepEqual(decisionAt(['hints-contradict']), [0.25, 'accept']);
  assert.deepEqual(decisionAt(['email-malformed']), [0.3, 'verify_email']);
  assert.deepEqual(decisionAt(['tor-exit', 'unroutable-address']), [0.55, 'verify_email']);
  assert.deepEqual(decisionAt(['tor-exit', 'no-accept-language']), [0.6, 'captcha']);
});

const HOME: NetworkKind = {
  isHosting: null,
  isVpn: null,
  isTor: null,
  bogonType: null,
  provider: 'A provider',
};

test('hosting alone, whatever the list says beside it, never reaches a CAPTCHA', () => {
  for (const isVpn of [null, false, true]) {
    const { decision } = scoreFindings(findInAddress({ ...HOME, isHosting: true, isVpn }));
    assert.notEqual(decision, 'captcha');
  }
});

test('each kind of network is found by its own reason', () => {
  const codesOf = (kind: Partial<NetworkKind>) => findInAddress({ ...HOME, ...kind }).map(({ code }) => code);
  assert.deepEqual(codesOf({}), []);
  assert.deepEqual(codesOf({ isHosting: true }), ['hosting-network']);
  assert.deepEqual(codesOf({ isVpn: true }), ['vpn-network']);
  assert.deepEqual(codesOf({ isTor: true }), ['tor-exit']);
  assert.deepEqual(codesOf({ bogonType: 'private' }), ['unroutable-address']);
  assert.deepEqual(codesOf({ isHosting: false, isVpn: false, isTor: false }), []);
});

test('the prior follows the kind of network, and is null where nothing is known', () => {
  assert.equal(botLikelihoodOf({ ...HOME, provider: null }), null);
  const [home, vpn, hosting, tor] = [
    HOME,
    { ...HOME, isVpn: true },
    { ...HOME, isHosting: true },
    { ...HOME, isTor: true, isVpn: true },
  ].map((kind) => botLikelihoodOf(kind) ?? Number.NaN);
  assert.ok(0 < home && home < vpn && vpn < hosting && hosting <= tor && tor <= 1);
});

const CHROME = {
  'User-Agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Accept-Language': 'de-DE,de;q=0.9',
  'Accept-Encoding': 'gzip, deflate, br',
  'sec-ch-ua': '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
};
const isBot = (userAgent: string) => /bot|curl/i.test(userAgent);
const codesOf = (headers: Record<string, string | undefined>) =>
  findInHeaders(readHeaders(headers), isBot).map(({ code }) => code);

test('an ordinary browser gives no reason', () => {
  assert.deepEqual(codesOf(CHROME), []);
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  assert.deepEqual(
    codesOf({ 'user-agent': firefox, 'accept-language': 'en', 'accept-encoding': 'gzip' }),
    [],
    'a browser without client hints is no contradiction',
  );
});

test('each lack and each contradiction in the headers is found by its own reason', () => {
  const without = (name: string) => ({ ...CHROME, [name]: undefined });
  assert.deepEqual(
    codesOf({ ...without('User-Agent'), 'sec-ch-ua': undefined, 'sec-ch-ua-platform': undefined }),
    ['no-user-agent'],
  );
  assert.deepEqual(codesOf(without('Accept-Language')), ['no-accept-language']);
  assert.deepEqual(codesOf(without('Accept-Encoding')), ['no-accept-encoding']);
  const plain = { 'accept-language': 'en', 'accept-encoding': 'gzip' };
  assert.deepEqual(codesOf({ ...plain, 'user-agent': 'curl/8.5.0' }), ['declared-bot']);
  for (const lie of [
    { 'sec-ch-ua-platform': '"Linux"' },
    { 'sec-ch-ua-mobile': '?1' },
    { 'sec-ch-ua': '"Chromium";v="120", "Google Chrome";v="120"' },
    { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0' },
  ]) {
    assert.deepEqual(codesOf({ ...CHROME, ...lie }), ['hints-contradict'], JSON.stringify(lie));
  }
});

test('an e-mail address is judged by its form and its domain, and is never told again', () => {
  const isDisposable = (domain: string) => domain === 'ten-minutes.example';
  const codes = (email: string) => findInEmail(email, isDisposable).map(({ code }) => code);
  for (const good of ['a@example.org', 'first.last+tag@mail.example.co.uk', 'x@bücher.example']) {
    assert.deepEqual(codes(good), [], good);
  }
  for (const bad of [
    '',
    'a',
    '@example.org',
    'a@',
    'a@b',
    'a b@example.org',
    `${'a'.repeat(65)}@example.org`,
  ]) {
    assert.deepEqual(codes(bad), ['email-malformed'], bad);
  }
  assert.deepEqual(codes('secret.name@Ten-Minutes.example'), ['email-disposable']);
  assert.deepEqual(codes('x@sub.ten-minutes.example'), ['email-disposable']);
  for (const email of ['secret.name', 'secret.name@ten-minutes.example']) {
    assert.doesNotMatch(JSON.stringify(findInEmail(email, isDisposable)), /secret/);
  }
});
