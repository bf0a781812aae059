import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

for (const name of ['simd', 'scalar']) {
  const bytes = readFileSync(new URL(`../../../build/wasm/solver-${name}.wasm`, import.meta.url));
  const module = new WebAssembly.Module(bytes);

  test(`the ${name} build exports the names of the specification and imports nothing`, () => {
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    const names = WebAssembly.Module.exports(module).map((entry) => `${entry.kind} ${entry.name}`);
    assert.deepEqual(names.sort(), [
      'function answer',
      'function compress_block',
      'function load_challenge',
      'function reset_state',
      'function solve_once_b64',
      'function solve_step',
      'function solve_step_b64',
      'global block_address',
      'global input_address',
      'global state_address',
      'memory memory',
    ]);
  });

  test(`the ${name} build stays small enough to load at once`, () => {
    const sizeBytes = brotliCompressSync(bytes).length;
    assert.ok(sizeBytes <= 5000, `${sizeBytes} bytes under brotli`);
  });
}
