import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasSimd, loadKernel, type SolverBuilds } from '../../../browser/solver/load-kernel.ts';
import { fakeTimers, never } from './fake-timers.ts';
import { wasmBytes } from './implementations.ts';

const compile = (name: 'simd' | 'scalar') => WebAssembly.compile(wasmBytes(name));
const builds: SolverBuilds = { simd: () => compile('simd'), scalar: () => compile('scalar') };
const refuse = () => Promise.reject(new WebAssembly.CompileError('violates Content Security Policy'));

test('takes four lanes where the engine has v128', async () => {
  assert.equal(hasSimd(), true);
  assert.equal((await loadKernel(builds, never)).name, 'simd');
});

test('takes scalar Wasm where v128 is missing, without asking for the other file', async () => {
  const simd = () => assert.fail('the SIMD build was asked for');
  assert.equal((await loadKernel({ ...builds, simd }, never, () => false)).name, 'scalar');
});

test('takes scalar Wasm where the SIMD file does not come', async () => {
  assert.equal((await loadKernel({ ...builds, simd: refuse }, never)).name, 'scalar');
});

test('takes JavaScript where Wasm is refused', async () => {
  assert.equal((await loadKernel({ simd: refuse, scalar: refuse }, never)).name, 'javascript');
});

test('takes JavaScript where the engine has no Wasm at all', async (t) => {
  const { WebAssembly } = globalThis;
  t.after(() => Object.assign(globalThis, { WebAssembly }));
  Reflect.deleteProperty(globalThis, 'WebAssembly');
  assert.equal((await loadKernel(builds, never)).name, 'javascript');
});

test('does not trust a build that computes something else', async () => {
  const bytes = wasmBytes('simd');
  const at = Buffer.from(bytes.buffer).indexOf(Buffer.from('982f8a42', 'hex')); // K[0], little-endian
  assert.ok(at > 0);
  bytes[at] ^= 1;
  assert.equal(
    (await loadKernel({ ...builds, simd: () => WebAssembly.compile(bytes) }, never)).name,
    'scalar',
  );
});

test('takes JavaScript where the files stall: five seconds for both together', async () => {
  const timers = fakeTimers();
  const stall = () => new Promise<WebAssembly.Module>(() => {});
  const refuseLate = () =>
    new Promise<WebAssembly.Module>((_, reject) => void timers.after(3000, () => reject(new Error('reset'))));
  let name = '';
  void loadKernel({ simd: refuseLate, scalar: stall }, timers.after).then((kernel) => {
    name = kernel.name;
  });
  await timers.advance(4999);
  assert.equal(name, '');
  await timers.advance(1);
  assert.equal(name, 'javascript');
});

test('leaves no timer behind', async () => {
  const timers = fakeTimers();
  await loadKernel(builds, timers.after);
  assert.equal(timers.pending(), 0);
});
