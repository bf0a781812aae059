import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Visit } from '../../../server/pow/core/policy.ts';
import type { Verdict } from '../../../server/pow/core/verdict.ts';
import { createTestApp } from '../../test-app.ts';
import { solve } from '../../test-gate.ts';

const BOT = { 'user-agent': 'Googlebot/2.1', accept: 'application/json' };
const BROWSER = { 'user-agent': 'Mozilla/5.0', accept: 'application/json' };

/** An app whose component says what the test last said. */
function createJudgedApp(first: Verdict) {
  const judge = { verdict: first, visits: [] as Visit[] };
  const app = createTestApp({
    verdictOf: async (visit) => {
      judge.visits.push(visit);
      return judge.verdict;
    },
  });
  return { ...app, judge };
}

describe('a declared bot', () => {
  test('is asked for four bits more, in header, challenge and body alike', async () => {
    const { request } = createTestApp();
    const answer = await request({ url: '/demo/', headers: BOT });
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.headers['www-authenticate'], 'PoW realm="page", difficulty=8, mode="passport"');
    assert.equal(answer.json().challenge.difficulty_bits, 8);
    assert.equal(answer.json().challenge.expected_tries, 256);
  });

  for (const url of ['/pow/challenge?route=page', '/pow/challenge']) {
    test(`gets them from ${url} too`, async () => {
      const { request } = createTestApp();
      assert.equal((await request({ url, headers: BOT })).json().difficulty_bits, 8);
      assert.equal((await request({ url, headers: BROWSER })).json().difficulty_bits, 4);
    });
  }

  test('without a User-Agent at all is one', async () => {
    const { request } = createTestApp();
    const answer = await request({ url: '/pow/challenge', headers: { 'user-agent': '' } });
    assert.equal(answer.json().difficulty_bits, 8);
  });

  test('is not let in by a passport or a proof that another User-Agent won', async () => {
    const { request, post } = createTestApp();
    const fetchSolved = async () => {
      const { challenge } = (await request({ url: '/pow/challenge?route=page', headers: BROWSER })).json();
      return { challenge, answer: solve(challenge) };
    };
    const minted = await post('/pow/passport', await fetchSolved());
    const cookie = String(minted.headers['set-cookie']).split(';')[0];
    const shown = await request({ url: '/demo/', headers: { ...BOT, cookie } });
    assert.equal(shown.json().code, 'passport-too-weak');
    assert.equal((await request({ url: '/demo/', headers: { ...BROWSER, cookie } })).statusCode, 200);

    const { challenge, answer } = await fetchSolved();
    const authorization = `PoW ${challenge}:${answer}`;
    const refused = await request({ url: '/demo/', headers: { ...BOT, authorization } });
    assert.equal(refused.json().code, 'insufficient-work');
    assert.equal(refused.statusCode, 403);
    // What was refused was not spent.
    assert.equal((await request({ url: '/demo/', headers: { ...BROWSER, authorization } })).statusCode, 200);
  });

  test('that pays is let in', async () => {
    const { request, post } = createTestApp();
    const { challenge } = (await request({ url: '/demo/', headers: BOT })).json().challenge;
    const minted = await post('/pow/passport', { challenge, answer: solve(challenge) }, BOT);
    const cookie = String(minted.headers['set-cookie']).split(';')[0];
    assert.equal((await request({ url: '/demo/', headers: { ...BOT, cookie } })).statusCode, 200);
  });
});

describe('a verdict of the component', () => {
  test('human lets in without a proof, and no shared cache may keep the page', async () => {
    const { request, judge } = createJudgedApp('human');
    const answer = await request({ url: '/demo/', headers: BROWSER });
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['cache-control'], 'no-store');
    judge.verdict = 'suspect';
    assert.equal((await request({ url: '/demo/', headers: BROWSER })).statusCode, 401);
  });

  test('human does not make a challenge cheaper', async () => {
    const { request } = createJudgedApp('human');
    assert.equal((await request('/pow/challenge?route=page')).json().difficulty_bits, 4);
  });

  test('is asked once a gated request, with the normalised path and without the query', async () => {
    const { request, judge } = createJudgedApp('bot');
    await request({ url: '/demo//a/../?secret=1', headers: BROWSER });
    assert.equal(judge.visits.length, 1);
    const [{ method, path, userAgent }] = judge.visits;
    assert.deepEqual(
      { method, path, userAgent },
      { method: 'GET', path: '/demo/', userAgent: 'Mozilla/5.0' },
    );
  });

  test('is not asked of what is not gated or exempt', async () => {
    const { request, judge, usePolicy } = createJudgedApp('bot');
    await request('/openapi.json');
    await request('/healthz');
    usePolicy({ routes: [{ id: 'page', paths: ['/demo/*'], exempt: { paths: ['/demo/'] } }] });
    await request('/demo/');
    assert.equal(judge.visits.length, 0);
  });

  test('never asks for more than 32 bits', async () => {
    const { request, usePolicy } = createJudgedApp('bot');
    usePolicy({ routes: [{ id: 'page', paths: ['/demo/*'], difficulty_bits: 31 }] });
    assert.equal((await request('/demo/')).json().challenge.difficulty_bits, 32);
  });
});
