import assert from 'node:assert/strict';
import { test } from 'node:test';
import { labelsOf, readCategory } from '../../../../server/crawl/core/categories.ts';
import { readRobotsTag } from '../../../../server/crawl/core/robots-tag.ts';
import { readSpeed, readUserAgent } from '../../../../server/crawl/core/settings.ts';
import { pagesPerSecond } from '../../../../server/crawl/core/speed.ts';

test('a category is a label and a pattern, or is told', () => {
  const good: [string, string, string][] = [
    [' Docs /docs/', 'Docs', '/docs/'],
    ['"How to"   /howto/*.html$', 'How to', '/howto/*.html$'],
    ['"C# # sharp" /c # a comment', 'C# # sharp', '/c'],
    ['日本語 *ja*', '日本語', '*ja*'],
    ['"  wide   open " /', 'wide open', '/'],
  ];
  for (const [text, label, path] of good) {
    const read = readCategory(text);
    assert.ok(typeof read !== 'string', text);
    assert.deepEqual([read.label, read.path], [label, path]);
  }
  for (const text of [
    '',
    'Docs',
    '/docs',
    'How to /howto',
    '"open /a',
    '"" /a',
    `${'x'.repeat(65)} /a`,
    'Docs docs/',
    'a /b /c',
    '# Docs /docs',
  ]) {
    assert.equal(typeof readCategory(text), 'string', text);
  }
});

test('a page gets every label that fits, once', () => {
  const rules = ['A /a', 'B /*b', 'A /ab', '"Q" /*?x='].map((text) => {
    const read = readCategory(text);
    assert.ok(typeof read !== 'string');
    return read;
  });
  assert.deepEqual(labelsOf(rules, '/ab'), ['A', 'B']);
  assert.deepEqual(labelsOf(rules, '/c?x=1'), ['Q']);
  assert.deepEqual(labelsOf(rules, '/'), []);
});

test('X-Robots-Tag counts for all or for our token', () => {
  const cases: [string | null, boolean, boolean][] = [
    [null, false, false],
    ['noindex', true, false],
    ['NOINDEX, nofollow', true, true],
    ['none', true, true],
    ['GatehouseBot: noindex', true, false],
    ['otherbot: noindex, nofollow', false, false],
    ['otherbot: noindex, gatehousebot: nofollow', false, true],
    ['unavailable_after: 25 Jun 2030 15:00:00 PST, noindex', true, false],
    ['max-snippet: 5, nofollow', false, true],
    ['noindexed, x', false, false],
  ];
  for (const [header, isNoindex, isNofollow] of cases) {
    assert.deepEqual(readRobotsTag(header, 'GatehouseBot'), { isNoindex, isNofollow }, String(header));
  }
});

test('speed: the base, more on large sites, what is asked for within bounds, and robots.txt above all', () => {
  const ask = (more: object) =>
    pagesPerSecond({
      known: 10,
      isPilot: false,
      asked: null,
      base: 2,
      most: 100,
      crawlDelaySecs: null,
      ...more,
    });
  const cases: [object, number][] = [
    [{}, 2],
    [{ known: 10_000 }, 2],
    [{ known: 20_000 }, 8],
    [{ known: 1_000_000 }, 100],
    [{ known: 1_000_000, most: 500 }, 500],
    [{ asked: 50 }, 50],
    [{ asked: 900 }, 100],
    [{ asked: 0.1 }, 0.1],
    [{ asked: 50, isPilot: true }, 2],
    [{ asked: 1, isPilot: true }, 1],
    [{ asked: 50, crawlDelaySecs: 10 }, 0.1],
    [{ asked: 0.01, crawlDelaySecs: 10 }, 0.01],
    [{ crawlDelaySecs: 0 }, 2],
    [{ base: 5, most: 1 }, 5],
  ];
  for (const [more, expected] of cases) assert.equal(ask(more), expected, JSON.stringify(more));
});

test('settings of the environment say what they expect', () => {
  assert.deepEqual(['2', '0.5', '1000'].map(readSpeed), [2, 0.5, 1000]);
  for (const text of ['0', '-1', '1001', 'fast', '1e3', '']) assert.throws(() => readSpeed(text), RangeError);
  assert.equal(readUserAgent('MyBot/2 (+https://example.org)'), 'MyBot/2 (+https://example.org)');
  for (const text of ['', '2bot', 'Bot\r\nX: y', 'Böt', 'a'.repeat(257)])
    assert.throws(() => readUserAgent(text), RangeError);
});
