import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isCovered,
  type PathPattern,
  readPathPattern,
  segmentsOf,
} from '../../../../server/pow/core/path-pattern.ts';

for (const [pattern, path, covers] of [
  ['/chat', '/chat', true],
  ['/chat', '/chat/', true],
  ['/chat', '/CHAT', true],
  ['/Chat', '/chat', true],
  ['/chat', '/chats', false],
  ['/chat', '/chat/more', false],
  ['/demo/*', '/demo', true],
  ['/demo/*', '/demo/', true],
  ['/demo/*', '/demo/a/b/c', true],
  ['/demo/*', '/demolition', false],
  ['/*', '/', true],
  ['/*', '/anything/at/all', true],
  ['/', '/', true],
  ['/', '/a', false],
  ['/caf\u00e9', '/caf%C3%A9', true],
  ['/cafe\u0301', '/caf%c3%a9', true],
  ['/q:r', '/q:r', true],
  ['/api/*/search', '/api/v1/search', true],
  ['/api/*/search', '/api/search', false],
  ['/api/*/search', '/api/v1/v2/search', false],
  ['/api/*/search/*', '/api/v1/search', true],
] as const) {
  test(`${pattern} ${covers ? 'covers' : 'leaves'} ${path}`, () => {
    assert.equal(isCovered([readPathPattern(pattern) as PathPattern], segmentsOf(path)), covers);
  });
}

for (const text of [
  '',
  'chat',
  '/chat?x=1',
  '/a b',
  '/a%20b',
  '/a\\b',
  '/a/../b',
  '/a/./b',
  '/ch*t',
  '/**',
]) {
  test(`no pattern: ${JSON.stringify(text)}`, () =>
    assert.match(readPathPattern(text) as string, /^expected /));
}
