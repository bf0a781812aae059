import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerOnce, sampleLoad } from './load.ts';
import { type Row, runRounds } from './rounds.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const GATEHOUSE = fileURLToPath(new URL('../server/gatehouse.mjs', import.meta.url));
const BARE = fileURLToPath(new URL('bare-koa.ts', import.meta.url));

/** `/whois.json` of the server as it is started by the command line, beside a bare Koa answer of the same length. */
export async function measureIpHttp({
  rounds,
  sampleMs,
}: {
  rounds: number;
  sampleMs: number;
}): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const started: ServerProcess[] = [];
  const start = async (script: string, args: string[], env: Record<string, string>) => {
    const server = await startServer(script, args, env);
    started.push(server);
    return server.port;
  };
  try {
    const port = await start(GATEHOUSE, ['serve'], {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      THROTTLE_IP: '1000000000/60',
    });
    const request = Buffer.from('GET /whois.json?queryIP=84.1.2.3 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const whois = await answerOnce(port, request);
    const sizeBytes = Buffer.byteLength(whois);
    const bare = JSON.stringify('x'.repeat(sizeBytes - 2));
    const loads = [
      {
        name: 'bare Koa, as long as a whois',
        baseline: null,
        port: await start(BARE, [String(sizeBytes)], {}),
        request,
        status: 200,
        isRight: (body: string) => body === bare,
      },
      {
        name: 'GET /whois.json, log off',
        baseline: 'bare Koa, as long as a whois',
        port,
        request,
        status: 200,
        isRight: (body: string) => body === whois && JSON.parse(body).countryIso === 'HU',
      },
    ];
    return await runRounds(
      loads.map((load) => ({ ...load, sample: () => sampleLoad(load, sampleMs) })),
      rounds,
    );
  } finally {
    await Promise.all(started.map((server) => server.stop()));
    rmSync(folder, { recursive: true });
  }
}
