import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gateLoads } from './gate-loads.ts';
import { sampleLoad } from './load.ts';
import { type Row, runRounds } from './rounds.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const GATEHOUSE = fileURLToPath(new URL('../server/gatehouse.mjs', import.meta.url));
const BARE = fileURLToPath(new URL('bare-koa.ts', import.meta.url));
const GATED = fileURLToPath(new URL('gated-koa.ts', import.meta.url));
const SEALING = fileURLToPath(new URL('sealing-koa.ts', import.meta.url));

/**
 * The server as it is started by the command line, over real HTTP with its real store, beside a bare Koa answer.
 *
 * Each server is a process of its own and this one makes the load, so that on two cores neither takes the other's time.
 * Each generation starts fresh processes: what a compiler happens to do in one is not the figure of all.
 */
export async function measureGateHttp({
  generations,
  rounds,
  sampleMs,
}: {
  generations: number;
  rounds: number;
  sampleMs: number;
}): Promise<Row[]> {
  let rows: Row[] = [];
  for (let generation = 0; generation < generations; generation++) {
    const measured = await measureGeneration(rounds, sampleMs);
    rows = measured.map((row, i) => ({
      ...row,
      perSecond: [...(rows[i]?.perSecond ?? []), ...row.perSecond],
      checked: row.checked + (rows[i]?.checked ?? 0),
    }));
  }
  return rows;
}

async function measureGeneration(rounds: number, sampleMs: number): Promise<Row[]> {
  const secret = randomBytes(32);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const openPolicy = join(folder, 'ungated.json');
  writeFileSync(openPolicy, JSON.stringify({ routes: [] }));
  const started: ServerProcess[] = [];
  const start = async (script: string, args: string[], env: Record<string, string>) => {
    const server = await startServer(script, args, env);
    started.push(server);
    return server.port;
  };
  const gatehouse = (name: string, env: Record<string, string>) =>
    start(GATEHOUSE, ['serve', '--demo'], {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: join(folder, name),
      POW_KEYS: `1:${secret.toString('base64')}`,
      LOG_LEVEL: 'silent',
      // All requests come from one network; the throttle counts them and lets them pass.
      THROTTLE_CHALLENGE: '1000000000/60',
      ...env,
    });
  try {
    const loads = await gateLoads(secret, {
      bare: (sizeBytes) => start(BARE, [String(sizeBytes)], {}),
      gated: (sizeBytes) => start(GATED, [secret.toString('base64'), String(sizeBytes)], {}),
      sealing: await start(SEALING, [secret.toString('base64')], {}),
      silent: await gatehouse('silent', {}),
      logged: await gatehouse('logged', { LOG_LEVEL: 'info' }),
      ungated: await gatehouse('ungated', { GATE_POLICY: openPolicy }),
    });
    return await runRounds(
      loads.map((load) => ({ ...load, sample: () => sampleLoad(load, sampleMs) })),
      rounds,
    );
  } finally {
    await Promise.all(started.map((server) => server.stop()));
    rmSync(folder, { recursive: true });
  }
}
