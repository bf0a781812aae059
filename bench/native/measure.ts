import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Measurement } from '../groups.ts';
import { type Contender, runRounds } from '../rounds.ts';
import { isProven } from '../solver/check.ts';
import { inFreshNode } from '../solver/in-node.ts';
import { messageOf } from '../solver/own.ts';
import { BASELINE, solverContenders } from '../solver/sampling.ts';
import { expectRight } from '../wrong-answer.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** A native solver: how gcc makes it, and the flag of /proc/cpuinfo without which it cannot run. */
type Program = { name: string; source: string; options: string[]; needs: string | null };

const PROGRAMS: readonly Program[] = [
  { name: 'C, 4 lanes of 128 bits', source: 'lanes.c', options: ['-DLANES=4', '-mavx'], needs: 'avx' },
  { name: 'C, 8 lanes of AVX2', source: 'lanes.c', options: ['-DLANES=8', '-mavx2'], needs: 'avx2' },
  {
    name: 'C, 16 lanes of AVX-512',
    source: 'lanes.c',
    options: ['-DLANES=16', '-mavx512f'],
    needs: 'avx512f',
  },
  {
    name: 'C, SHA instructions, 4 streams',
    source: 'sha-ni.c',
    options: ['-msha', '-msse4.1'],
    needs: 'sha_ni',
  },
  { name: 'C, OpenSSL SHA256() in one shot', source: 'openssl.c', options: ['-lcrypto'], needs: null },
  {
    name: 'C, OpenSSL Init, Update, Final',
    source: 'openssl.c',
    options: ['-DSTEPS', '-lcrypto'],
    needs: null,
  },
];

const LIMIT_MS = 60_000;

/** What an attacker reaches with a compiler, on one thread, beside our four lanes; every answer is checked. */
export async function measureNative({
  rounds,
  sampleMs,
}: {
  rounds: number;
  sampleMs: number;
}): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-native-'));
  const notes: string[] = [];
  try {
    const [ours] = solverContenders('node', inFreshNode, sampleMs, true);
    const contenders: Contender[] = [ours];
    for (const [i, program] of PROGRAMS.entries()) {
      const path = join(folder, String(i));
      const fault = compile(program, path);
      if (fault === null) contenders.push(nativeContender(program.name, path, sampleMs));
      else notes.push(`${program.name}: left out, ${fault}`);
    }
    return { rows: await runRounds(contenders, rounds, { isWarm: true }), notes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Compiles a program; null, or why it cannot be had here. */
function compile({ source, options, needs }: Program, path: string): string | null {
  if (needs !== null && !cpuFlags().includes(needs)) return `this processor has no ${needs}`;
  try {
    execFileSync('gcc', ['-O3', '-std=gnu11', join(HERE, source), '-o', path, ...options], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: LIMIT_MS,
    });
    return null;
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    return `gcc says: ${(stderr?.toString() || message).trim().split('\n')[0]}`;
  }
}

function cpuFlags(): string[] {
  try {
    return /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1].trim().split(' ') ?? [];
  } catch {
    return [];
  }
}

function nativeContender(name: string, path: string, sampleMs: number): Contender {
  let seed = 1;
  return {
    name,
    baseline: BASELINE,
    async sample() {
      const args = [String(seed++), String(sampleMs)];
      const { stdout } = await promisify(execFile)(path, args, { maxBuffer: 2 ** 26, timeout: LIMIT_MS });
      const [head, ...lines] = stdout.trim().split('\n');
      const [tries, ms] = head.split(' ').map(Number);
      for (const line of lines) {
        const [nonce, answer] = line.split(' ');
        const message = messageOf(Buffer.from(nonce, 'hex'), BigInt(answer));
        const proof = { tries, message, hash: 'sha256', at: 0, expected: [0, 0] } as const;
        expectRight(
          name,
          () => isProven(proof),
          () => line,
        );
      }
      return { perSecond: (tries / ms) * 1000, checked: lines.length };
    },
  };
}
