import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readReturnPath } from '../../../server/http/return-path.ts';

test('paths of this origin come back as the parser writes them', () => {
  for (const [text, path] of [
    ['/', '/'],
    ['/a/b?c=d&e#f', '/a/b?c=d&e#f'],
    ['/a/../b', '/b'],
    ['/ü', '/%C3%BC'],
    ['/a?next=//evil.example', '/a?next=//evil.example'],
    ['/a?x="<>', '/a?x=%22%3C%3E'],
  ]) {
    assert.equal(readReturnPath(text), path, text);
  }
});

test('whatever may lead elsewhere is refused', () => {
  for (const text of [
    '',
    'a',
    'a/b',
    '?a',
    '#a',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/a\\b',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/ /evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    'https://evil.example/',
    'https:evil.example',
    'http:/evil.example',
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    '/\u0000',
    '/a\u007f',
    `/${'a'.repeat(4_096)}`,
  ]) {
    assert.equal(readReturnPath(text), null, JSON.stringify(text));
  }
});

test('nothing that comes back leads a browser to another origin', () => {
  const pieces = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '@',
    ':',
    '//',
    'evil.example',
    '?',
    '#',
    '%2f',
    '%5c',
    '\t',
    ' ',
    'a',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const path = readReturnPath(`/${parts.join('')}`);
      if (path === null) return;
      assert.equal(new URL(path, 'https://site.example/pow/captcha').origin, 'https://site.example');
      // What was accepted once is accepted as it is.
      assert.equal(readReturnPath(path), path);
    }),
    { numRuns: 2_000 },
  );
});
