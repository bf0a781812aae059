import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';

/** Where and on what a figure was measured. */
export type Provenance = {
  at: string;
  commit: string;
  /** Whether files differ from that commit. */
  isChanged: boolean;
  cpu: string;
  cores: number;
  memoryGiB: number;
  node: string;
  kernel: string;
  /** Of the last minute, before the first measurement: above 0.5, others were at work. */
  load: number;
};

export function readProvenance(): Provenance {
  const cores = cpus();
  return {
    at: new Date().toISOString(),
    commit: git('rev-parse', 'HEAD') ?? 'unknown',
    isChanged: git('status', '--porcelain') !== '',
    cpu: cores[0].model.trim(),
    cores: cores.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    kernel: `${process.platform} ${release()}`,
    load: Number(loadavg()[0].toFixed(2)),
  };
}

// null outside of a checkout, such as in an unpacked archive.
function git(...args: string[]): string | null {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
