import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

const built = (path: string) => readFileSync(new URL(`../../build/browser${path}`, import.meta.url), 'utf8');

/** The paths of all scripts that come before the page can be used: those of its tags, and what they import. */
function scriptsOf(page: string): string[] {
  // What is only prefetched waits for nobody: the worker, which comes while the page is read.
  const needed = built(page).replace(/<link\b[^>]*\brel="prefetch"[^>]*>/g, '');
  const found = [...needed.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="(\/[^"]+\.js)"/g)].map(
    ([, path]) => path,
  );
  for (const path of found) {
    for (const [, name] of built(path).matchAll(/\b(?:from|import)\s*["'](\.\/[^"']+\.js)["']/g)) {
      const imported = new URL(name, `file://${path}`).pathname;
      if (!found.includes(imported)) found.push(imported);
    }
  }
  return [...new Set(found)];
}

// Our choice: what a page costs a phone before it can be used, in bytes of Brotli. Worker and Wasm come when one solves.
for (const [page, mostBytes] of [
  ['/index.html', 16_000],
  ['/verify.html', 15_000],
  ['/captcha.html', 5_000],
  ['/demo.html', 4_000],
  ['/widget.html', 16_000],
  ['/bench.html', 42_000],
  ['/console.html', 40_000],
  ['/docs.html', 0],
] as const) {
  test(`${page} needs at most ${mostBytes} bytes of script`, (t) => {
    const scripts = scriptsOf(page);
    const sizeBytes = scripts.reduce((sum, path) => sum + brotliCompressSync(built(path)).length, 0);
    t.diagnostic(`${sizeBytes} bytes in ${scripts.length} files`);
    assert.ok(sizeBytes <= mostBytes, `${sizeBytes} bytes: ${scripts.join(', ')}`);
    if (mostBytes > 0) assert.ok(scripts.length > 0);
  });
}

test('no page has a script, a style or a handler in its own text', () => {
  for (const page of ['index', 'verify', 'captcha', 'demo', 'widget', 'bench', 'console', 'docs', 'frame']) {
    const html = built(`/${page}.html`);
    assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)[^>]*>/, page);
    assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=/, page);
  }
});
