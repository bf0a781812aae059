import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

const built = (path: string) => readFileSync(new URL(`../../build/browser${path}`, import.meta.url));

// Our choice: what a page may cost before anything is solved. Worker and Wasm come later, 20 kB at most.
for (const [path, mostBytes] of [
  ['/pow/widget.js', 13_000],
  ['/pow/fetch.js', 8_000],
  // The specification's: 8 kB.
  ['/finder.js', 8_000],
] as const) {
  test(`${path} stays below ${mostBytes} bytes of Brotli, and asks for no other script`, () => {
    const script = built(path);
    const sizeBytes = brotliCompressSync(script).length;
    assert.ok(sizeBytes < mostBytes, `${sizeBytes} bytes`);
    assert.doesNotMatch(script.toString(), /\bimport\s*\(|\bfrom\s*["']|\bimport\s*["']/);
  });
}

test('the scripts can be imported where there is no page, and do nothing', async () => {
  for (const [path, names] of [
    ['pow/widget.js', []],
    ['pow/fetch.js', ['SessionError', 'createGateFetch']],
    ['finder.js', ['default', 'init', 'init_finder']],
  ] as const) {
    const imported: object = await import(new URL(`../../build/browser/${path}`, import.meta.url).href);
    assert.deepEqual(Object.keys(imported), names);
  }
});

test('the documentation tells the size of the widget', () => {
  const page = readFileSync(new URL('../../docs/widget.md', import.meta.url), 'utf8');
  const told = Number(/(\d+(?:\.\d)?) kB of Brotli/.exec(page)?.[1]) * 1000;
  const sizeBytes = brotliCompressSync(built('/pow/widget.js')).length;
  assert.ok(Math.abs(told - sizeBytes) < 500, `${told} told, ${sizeBytes} bytes`);
});
