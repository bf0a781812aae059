import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/search-bar.md');
const sources = readdirSync(new URL('../../browser/finder', import.meta.url))
  .map((name) => read(`browser/finder/${name}`))
  .join('\n');

/** All that the expression's first group finds, each once, in order. */
const allOf = (text: string, expression: RegExp) =>
  [...new Set([...text.matchAll(expression)].map(([, found]) => found))].sort();

test('every custom property of the bar is documented, and none that it has not', () => {
  const property = /(--finder-[a-z]+)/g;
  assert.deepEqual(allOf(page, property), allOf(read('browser/finder/sheet.css'), property));
});

test('every part of the bar is documented, and none that it has not', () => {
  const made = allOf(sources, /\bmake\('[a-z]+', '([a-z]+)'|'part', '([a-z]+)'/g).filter(Boolean);
  const [, list] = /\n((?:`[a-z]+`,\s)+`more`)\./.exec(page) ?? assert.fail('no list of parts');
  // The outermost is the bar itself, and the place is moved by script.
  const own = [...made, 'icon'].filter((part) => !['root', 'place'].includes(part));
  assert.deepEqual(allOf(list, /`([a-z]+)`/g), own.sort());
});

test('the languages are those that the bar speaks', () => {
  const [, row] = /\| `data-lang` \|[^|]*\|(.*)\|/.exec(page) ?? assert.fail('no row of languages');
  assert.deepEqual(
    allOf(row, /`([a-z]{2})`/g),
    allOf(read('browser/finder/finder-text.ts'), /^ {2}([a-z]{2}): \[/gm),
  );
});

test('the size is that of the script', () => {
  const told = Number(/(\d+(?:\.\d)?) kB of Brotli/.exec(page)?.[1]) * 1000;
  const sizeBytes = brotliCompressSync(read('build/browser/finder.js')).length;
  assert.ok(Math.abs(told - sizeBytes) < 100, `${told} told, ${sizeBytes} bytes`);
});
