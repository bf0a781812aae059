import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTestApp } from '../test-app.ts';

const mixed = (text: string) =>
  fc.tuple(...[...text].map((letter) => spellings(letter))).map((parts) => parts.join(''));

/** The ways to write one character of a path that some software takes for the character. */
function spellings(letter: string): fc.Arbitrary<string> {
  const hex = letter.charCodeAt(0).toString(16);
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(letter) },
    fc.constant(letter.toUpperCase()),
    fc.constant(`%${hex}`),
    fc.constant(`%${hex.toUpperCase()}`),
    fc.constant(`%25${hex}`),
  );
}

const slash = fc.constantFrom(
  '/',
  '//',
  '/./',
  '/x/../',
  '/%2e/',
  '/x/%2E%2e/',
  '/%2f',
  '\\',
  '/;/',
  '/%5c',
  '/.%2e/',
);
const tail = fc.constantFrom(
  '',
  '/',
  '//',
  '/.',
  '/x/..',
  '%20',
  ';a=b',
  '?x',
  '#',
  '/%2e',
  '%00',
  '.',
  '/index.html',
);
const walkAround = fc.tuple(slash, mixed('demo'), tail).map((parts) => parts.join(''));

test('no spelling of a gated path reaches the page behind the gate', async () => {
  const { request } = createTestApp();
  const open = createTestApp({ policy: { routes: [] } });
  const seen = { gated: 0, reached: 0 };
  await fc.assert(
    fc.asyncProperty(walkAround, async (url) => {
      const answer = await request({ url, headers: { accept: 'application/json' } });
      assert.notEqual(answer.statusCode, 200, `${url} was let in`);
      assert.ok(answer.statusCode < 500, `${url} gave ${answer.statusCode}`);
      // Without the gate the same spelling shows whether the router would have found the page.
      const behind = await open.request({ url, headers: { accept: 'application/json' } });
      if (behind.statusCode === 200) seen.reached++;
      if (answer.statusCode === 401) seen.gated++;
    }),
    { numRuns: 1_500 },
  );
  // The property would hold of a router that finds nothing, too.
  assert.ok(seen.reached > 100, `only ${seen.reached} spellings reach the page at all`);
  assert.ok(seen.gated >= seen.reached);
});
