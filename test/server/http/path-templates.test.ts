import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPathMatch } from '../../../server/http/path-templates.ts';

const isOpen = createPathMatch(['/pow/challenge', '/sites/{siteId}/search', '/a.b']);

for (const [path, expected] of [
  ['/pow/challenge', true],
  ['/POW/Challenge/', true],
  ['/pow/challenges', false],
  ['/pow/challenge/x', false],
  ['/sites/x/search', true],
  ['/sites/x/search/', true],
  ['/sites//search', false],
  ['/sites/x/y/search', false],
  ['/x/sites/x/search', false],
  ['/sites/x/pages', false],
  ['/a.b', true],
  ['/axb', false],
] as const) {
  test(`${path} is ${expected ? '' : 'not '}one of them`, () => assert.equal(isOpen(path), expected));
}
