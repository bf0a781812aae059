import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Place } from './sampling.ts';

const SCRIPT = fileURLToPath(new URL('node-process.ts', import.meta.url));
const LIMIT_MS = 60_000;

/** A fresh Node for every sample: which code the compiler settles on in one process is not the figure of all. */
export const inFreshNode: Place = async (name, seed, sampleMs) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [SCRIPT, name, String(seed), String(sampleMs)],
    { maxBuffer: 2 ** 28, timeout: LIMIT_MS },
  );
  return JSON.parse(stdout);
};
