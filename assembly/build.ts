/** Builds the solver: generated sources, then build/wasm/solver-simd.wasm and solver-scalar.wasm. */

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { main as asc } from 'assemblyscript/asc';
import { GENERATED } from './generate.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

// A file is written only if its text changed, so that its time tells whether the Wasm is out of date.
for (const { path, text } of GENERATED) {
  if (read(path) !== text) writeFileSync(`${root}${path}`, text);
}

mkdirSync(`${root}build/wasm`, { recursive: true });
for (const target of ['simd', 'scalar']) {
  if (isCurrent(`build/wasm/solver-${target}.wasm`)) continue;
  const { error, stderr } = await asc(
    [`assembly/${target}.ts`, '--config', 'asconfig.json', '--target', target, '--baseDir', root],
    {},
  );
  if (error) {
    process.stderr.write(`${stderr.toString()}\n${error.message}\n`);
    process.exit(1);
  }
}

/** Whether the output is newer than every source, the compiler's settings and the installed packages. */
function isCurrent(output: string): boolean {
  const sources = readdirSync(`${root}assembly`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `assembly/${name}`);
  const newest = Math.max(...[...sources, 'asconfig.json', 'package-lock.json'].map(modifiedMs));
  return modifiedMs(output) > newest;
}

function modifiedMs(path: string): number {
  return statSync(`${root}${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function read(path: string): string | null {
  try {
    return readFileSync(`${root}${path}`, 'utf8');
  } catch {
    return null;
  }
}
