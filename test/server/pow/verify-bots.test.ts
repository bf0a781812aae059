import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Address, parseAddress } from '../../../server/base/address.ts';
import { addressText } from '../../../server/base/address-set.ts';
import { MOST_NAMES, VERIFIED_BOTS } from '../../../server/pow/core/verified-bots.ts';
import {
  createVerifyBots,
  FAILED_TTL_MS,
  MOST_IN_FLIGHT,
  MOST_KEPT,
  PROVEN_TTL_MS,
  UNPROVEN_TTL_MS,
} from '../../../server/pow/verify-bots.ts';
import { createTestApp } from '../../test-app.ts';
import { createTestClock } from '../../test-gate.ts';
import { createTestTimer } from '../../test-timer.ts';

const addressOf = (text: string) => parseAddress(text) as Address;
const textOf = (address: Address) => addressText(address);

type Records = Record<string, readonly string[] | 'fails' | 'hangs'>;

/** A name server that holds `records` (by address or name) and counts what it is asked. */
function createWorld(records: Records) {
  const clock = createTestClock();
  const timer = createTestTimer();
  const asked: string[] = [];
  const ask = async (question: string): Promise<string[]> => {
    asked.push(question);
    const answer = records[question] ?? 'fails';
    if (answer === 'hangs') return new Promise(() => {});
    if (answer === 'fails') throw new Error(`ENOTFOUND ${question}`);
    return [...answer];
  };
  const isVerified = createVerifyBots({
    clock,
    timer,
    createResolver: () => ({
      namesOf: (address) => ask(textOf(address)),
      addressesOf: async (name, family) => (await ask(`${name} ${family}`)).map(addressOf),
    }),
  });
  const visit = (address: string, userAgent = 'Mozilla/5.0 (compatible; Googlebot/2.1)') =>
    isVerified(['googlebot', 'bingbot'], { address: addressOf(address), userAgent });
  return { visit, clock, timer, asked, records };
}

const IP = '66.249.66.1';
const NAME = 'crawl-66-249-66-1.googlebot.com';
const HONEST: Records = { [IP]: [NAME], [`${NAME} 4`]: [IP] };

describe('a crawler that DNS proves', () => {
  test('is one whose name lies in its domain and leads back', async () => {
    assert.equal(await createWorld(HONEST).visit(IP), true);
  });

  test('may have its name in capitals, with the dot of the root, and one of several addresses', async () => {
    const records = { [IP]: [`${NAME.toUpperCase()}.`], [`${NAME} 4`]: ['66.249.66.2', IP] };
    assert.equal(await createWorld(records).visit(IP), true);
  });

  test('may have several names, where all are its own', async () => {
    const other = 'geo-crawl-1.geo.googlebot.com';
    const records = { ...HONEST, [IP]: [NAME, other], [`${other} 4`]: [IP] };
    assert.equal(await createWorld(records).visit(IP), true);
  });

  test('comes over IPv6, whatever way its address is written', async () => {
    const ip = '2001:4860:4801:10:0:0:0:1';
    const records = { [ip]: [NAME], [`${NAME} 6`]: ['2001:4860:4801:10::1'] };
    assert.equal(await createWorld(records).visit(ip), true);
  });

  test('comes over IPv4 in an IPv6 socket', async () => {
    assert.equal(await createWorld(HONEST).visit(`::ffff:${IP}`), true);
  });
});

describe('who only says so is not proven', () => {
  const foreign = 'host.evil.example';
  for (const [title, records] of [
    ['without a PTR record', { [IP]: [] }],
    ['where the name server fails', { [IP]: 'fails' }],
    ['with a foreign name', { [IP]: [foreign], [`${foreign} 4`]: [IP] }],
    // GHSA-5gwm-367w-7fgj: one good name among several let the address in.
    ['with a foreign name after a good one', { ...HONEST, [IP]: [NAME, foreign], [`${foreign} 4`]: [IP] }],
    ['with a foreign name before a good one', { ...HONEST, [IP]: [foreign, NAME], [`${foreign} 4`]: [IP] }],
    ['with two good names of which one does not resolve', { ...HONEST, [IP]: [NAME, `x.${NAME}`] }],
    [
      'with two good names of which one leads elsewhere',
      { ...HONEST, [IP]: [NAME, `x.${NAME}`], [`x.${NAME} 4`]: ['66.249.66.9'] },
    ],
    [
      'with a domain of which ours is the beginning',
      { [IP]: ['googlebot.com.evil.example'], 'googlebot.com.evil.example 4': [IP] },
    ],
    [
      'with a domain of which ours is the end of a label',
      { [IP]: ['evilgooglebot.com'], 'evilgooglebot.com 4': [IP] },
    ],
    ['with the name of the domain itself', { [IP]: ['googlebot.com'], 'googlebot.com 4': [IP] }],
    [
      'with the domain of another crawler',
      { [IP]: ['msnbot-1.search.msn.com'], 'msnbot-1.search.msn.com 4': [IP] },
    ],
    [
      'with a fetcher that anyone can send',
      { [IP]: ['1.gae.googleusercontent.com'], '1.gae.googleusercontent.com 4': [IP] },
    ],
    ['with a name that leads elsewhere', { [IP]: [NAME], [`${NAME} 4`]: ['66.249.66.2'] }],
    ['with a name that leads nowhere', { [IP]: [NAME], [`${NAME} 4`]: [] }],
    ['with a name that leads to an IPv6 address only', { [IP]: [NAME], [`${NAME} 6`]: ['2001:db8::1'] }],
    ['with a name that does not resolve', { [IP]: [NAME] }],
    ['with an empty name', { [IP]: [''] }],
    [
      'with more names than an honest one has',
      {
        [IP]: Array.from({ length: MOST_NAMES + 1 }, (_, i) => `c${i}.googlebot.com`),
        ...Object.fromEntries(
          Array.from({ length: MOST_NAMES + 1 }, (_, i) => [`c${i}.googlebot.com 4`, [IP]]),
        ),
      },
    ],
  ] as const satisfies [string, Records][]) {
    test(title, async () => assert.equal(await createWorld(records as Records).visit(IP), false));
  }

  for (const [title, records] of [
    ['reverse', { [IP]: 'hangs' }],
    ['forward', { [IP]: [NAME], [`${NAME} 4`]: 'hangs' }],
  ] as const satisfies [string, Records][]) {
    test(`where the ${title} look-up takes too long`, async () => {
      const { visit, timer } = createWorld(records);
      const verified = visit(IP);
      await new Promise(setImmediate);
      timer.fire();
      assert.equal(await verified, false);
      assert.equal(timer.waiting(), 0);
    });
  }

  test('and no name is looked up for one who does not claim to be a listed crawler', async () => {
    const { visit, asked } = createWorld(HONEST);
    for (const userAgent of ['', 'Mozilla/5.0', 'Applebot/0.1']) {
      assert.equal(await visit(IP, userAgent), false);
    }
    assert.deepEqual(asked, []);
  });
});

describe('what was looked up', () => {
  test('is remembered: the proven for an hour, the unproven for minutes, a failure for seconds', async () => {
    for (const [records, ttlMs, isProven] of [
      [HONEST, PROVEN_TTL_MS, true],
      [{ [IP]: [] }, UNPROVEN_TTL_MS, false],
      [{}, FAILED_TTL_MS, false],
    ] as const) {
      const { visit, clock, asked } = createWorld(records as Records);
      for (let i = 0; i < 3; i++) assert.equal(await visit(IP), isProven);
      clock.advanceSecs(ttlMs / 1000 - 1);
      await visit(IP);
      const once = asked.length;
      clock.advanceSecs(1);
      await visit(IP);
      assert.equal(asked.length, once * 2, `${ttlMs}`);
    }
  });

  test('is no longer believed once its time is over', async () => {
    const { visit, clock, records } = createWorld({ ...HONEST });
    assert.equal(await visit(IP), true);
    records[IP] = [];
    clock.advanceSecs(PROVEN_TTL_MS / 1000);
    assert.equal(await visit(IP), false);
  });

  test('is one look-up for many requests at once', async () => {
    const { visit, asked } = createWorld(HONEST);
    const all = await Promise.all(Array.from({ length: 50 }, () => visit(IP)));
    assert.deepEqual(new Set(all), new Set([true]));
    assert.equal(asked.length, 2);
  });

  test('is bounded in number, and so is what is under way', async () => {
    const world = createWorld(HONEST);
    await world.visit(IP);
    for (let i = 0; i < MOST_KEPT; i++) await world.visit(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
    const before = world.asked.length;
    await world.visit(IP);
    assert.equal(world.asked.length, before + 2, 'the oldest was forgotten');

    const hanging = createWorld(
      Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`10.0.0.${i}`, 'hangs' as const])),
    );
    const all = Array.from({ length: 200 }, (_, i) => hanging.visit(`10.0.0.${i}`));
    assert.equal(hanging.asked.length, MOST_IN_FLIGHT);
    hanging.timer.fire();
    assert.deepEqual(new Set(await Promise.all(all)), new Set([false]));
  });
});

test('each crawler of the table is found by its own name, and cites a page', () => {
  for (const [name, { userAgent, domains, source }] of Object.entries(VERIFIED_BOTS)) {
    assert.match(userAgent, /^[a-z]+$/, name);
    assert.ok(name.startsWith(userAgent), name);
    for (const domain of domains) assert.match(domain, /^[a-z0-9]+(\.[a-z0-9]+)+$/);
    assert.match(source, /^https:\/\//);
  }
});

describe('a route that exempts verified bots', () => {
  const policy = {
    defaults: { difficulty_bits: 4 },
    routes: [{ id: 'page', paths: ['/demo/*'], exempt: { verified_bots: ['googlebot'] } }],
  };

  test('lets in those that are proven, and asks only for those that it names', async () => {
    const asked: (readonly string[])[] = [];
    const { request } = createTestApp({
      policy,
      isVerifiedBot: async (names, { userAgent }) => {
        asked.push(names);
        return userAgent === 'proven';
      },
    });
    const statusOf = async (userAgent: string) =>
      (await request({ url: '/demo/', headers: { 'user-agent': userAgent, accept: 'application/json' } }))
        .statusCode;
    assert.equal(await statusOf('proven'), 200);
    assert.equal(await statusOf('Googlebot'), 401);
    assert.deepEqual(asked, [['googlebot'], ['googlebot']]);
  });
});
