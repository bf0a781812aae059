import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalPath } from '../../../server/http/normalise-path.ts';

for (const [path, normal] of [
  ['/', '/'],
  ['/demo/', '/demo/'],
  ['/demo', '/demo'],
  ['//demo///x', '/demo/x'],
  ['/./demo/.', '/demo/'],
  ['/a/../demo/', '/demo/'],
  ['/../../demo', '/demo'],
  ['/a/..', '/'],
  ['/%64emo/', '/demo/'],
  ['/%2e%2e/demo', '/demo'],
  ['/x/%2E%2e/demo', '/demo'],
  ['/q%3Ar%40%2A', '/q:r@*'],
  ['/a%20b', '/a%20b'],
  ['/%c3%a9', '/%C3%A9'],
  ['/a%2564', '/a%2564'],
  ['/100%25', '/100%25'],
] as const) {
  test(`${path} is ${normal}`, () => assert.equal(normalPath(path), normal));
}

for (const path of [
  '',
  'demo',
  '*',
  '/demo%2fx',
  '/demo%5Cx',
  '/demo\\x',
  '/%',
  '/%4',
  '/%zz',
  '/a%00b',
  '/a%0d%0ab',
  '/a\tb',
  '/%7F',
]) {
  test(`refused: ${JSON.stringify(path)}`, () => assert.equal(normalPath(path), null));
}

const piece = fc.constantFrom(
  '/',
  '//',
  '.',
  '..',
  '%2e',
  '%64',
  'd',
  'demo',
  '%2F',
  '\\',
  '%',
  'A',
  '%25',
  '%32e',
);

test('a normal path is its own normal path, and has no dots or empty segments', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const normal = normalPath(`/${pieces.join('')}`);
      if (normal === null) return;
      assert.equal(normalPath(normal), normal);
      assert.doesNotMatch(normal, /\/\/|\/\.\.?(\/|$)/);
    }),
    { numRuns: 2_000 },
  );
});

test('a normal path stays, whatever it was made of', () => {
  const piece = fc.constantFrom(
    '/',
    '/',
    '.',
    '..',
    'a',
    'B',
    '%41',
    '%2e',
    '%20',
    '~',
    '@',
    'x.y',
    '-',
    '...',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      const path = normalPath(`/${pieces.join('')}`);
      assert.ok(path !== null);
      assert.equal(normalPath(path), path);
      assert.ok(!path.split('/').some((segment) => segment === '.' || segment === '..'), path);
      assert.ok(!path.includes('//'));
    }),
    { numRuns: 2_000 },
  );
});
