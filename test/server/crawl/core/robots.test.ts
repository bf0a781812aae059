import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchesPath, readPathPattern } from '../../../../server/crawl/core/path-pattern.ts';
import { isAllowed, readRobots } from '../../../../server/crawl/core/robots.ts';

type File = { from?: string; robots: string; cases: [string, string, boolean][] };
const { files } = JSON.parse(
  readFileSync(new URL('../../../vectors/rfc9309.json', import.meta.url), 'utf8'),
) as { files: File[] };

for (const [number, { from, robots, cases }] of files.entries()) {
  test(`robots.txt ${number}${from ? `, RFC 9309 ${from}` : ''}`, () => {
    for (const [token, path, allowed] of cases) {
      assert.equal(isAllowed(readRobots(robots, token), path), allowed, `${token} ${path}`);
    }
  });
}

/** What a pattern means, as a regular expression: right, and slow. */
const slowMatch = (pattern: string, path: string) => {
  const isAnchored = pattern.endsWith('$');
  const pieces = (isAnchored ? pattern.slice(0, -1) : pattern).split('*');
  const escaped = pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}${isAnchored ? '$' : ''}`, 's').test(path);
};

test('patterns match what the regular expression of the same meaning matches', () => {
  const letters = (from: string) => fc.string({ unit: fc.constantFrom(...from), maxLength: 12 });
  fc.assert(
    fc.property(letters('ab*$/'), letters('ab$/'), (pattern, path) => {
      assert.equal(matchesPath(readPathPattern(pattern), path), slowMatch(pattern, path));
    }),
    { numRuns: 5_000 },
  );
});

test('a pattern of many stars does no more than one search for each', () => {
  // The searches are counted, not timed: a regular expression would take longer than anybody lives.
  let searches = 0;
  const path = Object.assign(new String(`/${'a'.repeat(2_000)}b`), {
    indexOf(piece: string, at: number) {
      searches++;
      return String.prototype.indexOf.call(this, piece, at);
    },
  });
  const pattern = readPathPattern(`/${'*a'.repeat(40)}$`);
  assert.equal(matchesPath(pattern, path as unknown as string), false);
  assert.ok(searches <= 41, `${searches} searches`);
});

test('delays count for their group alone, up to a minute', () => {
  const text =
    'User-agent: *\nCrawl-delay: 7\n\nUser-agent: slow\nCrawl-delay: 3600\nUser-agent: odd\nCrawl-delay: soon\n';
  const delayOf = (token: string) => readRobots(text, token).crawlDelaySecs;
  assert.deepEqual(['any', 'slow', 'odd'].map(delayOf), [7, 60, null]);
  assert.equal(readRobots('User-agent: *\nCrawl-delay: 0.5', 'x').crawlDelaySecs, 0.5);
});

test('sitemaps and categories stand anywhere, and break no group', () => {
  const robots = readRobots(
    'Category: A /a\nUser-agent: x\nSitemap: https://example.org/1.xml\nCategory: "B c" /b*$ # told\nUser-agent: y\nDisallow: /z\nSITEMAP:https://example.org/2.xml#part',
    'x',
  );
  assert.deepEqual(robots.sitemaps, ['https://example.org/1.xml', 'https://example.org/2.xml']);
  assert.deepEqual(
    robots.categories.map(({ label, path }) => [label, path]),
    [
      ['A', '/a'],
      ['B c', '/b*$'],
    ],
  );
  assert.equal(isAllowed(robots, '/z'), false);
});
