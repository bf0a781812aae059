import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SolverBuilds } from '../../../browser/solver/load-kernel.ts';
import { loadNamedKernel } from '../../../browser/solver/named-kernel.ts';
import { createSolverWorker } from '../../../browser/solver/solver-worker.ts';
import { challengeText } from './challenge-text.ts';
import { wasmBytes } from './implementations.ts';

const compile = (name: 'simd' | 'scalar') => WebAssembly.compile(wasmBytes(name));
const builds: SolverBuilds = { simd: () => compile('simd'), scalar: () => compile('scalar') };

for (const name of ['simd', 'scalar', 'javascript'] as const) {
  test(`gives the kernel that was named: ${name}`, async () => {
    assert.equal((await loadNamedKernel(builds, name)).name, name);
  });
}

test('never stands in with another one', async () => {
  await assert.rejects(
    loadNamedKernel(builds, 'simd', () => false),
    /no v128/,
  );
  const refuse = () => Promise.reject(new WebAssembly.CompileError('violates Content Security Policy'));
  await assert.rejects(loadNamedKernel({ ...builds, scalar: refuse }, 'scalar'), /Content Security/);
});

test('does not give one that computes something else', async () => {
  const bytes = wasmBytes('scalar');
  const at = Buffer.from(bytes.buffer).indexOf(Buffer.from('982f8a42', 'hex')); // K[0], little-endian
  assert.ok(at > 0);
  bytes[at] ^= 1;
  const scalar = () => WebAssembly.compile(bytes);
  await assert.rejects(loadNamedKernel({ ...builds, scalar }, 'scalar'), /known answer/);
});

test('a worker takes the kernel that it is told', async () => {
  const told: (string | undefined)[] = [];
  const worker = createSolverWorker(async (only) => {
    told.push(only);
    return loadNamedKernel(builds, only ?? 'javascript');
  });
  assert.equal(await worker.load(challengeText({}), 'scalar'), 'scalar');
  assert.deepEqual(told, ['scalar']);
});
