import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generatePage, generateQueries, type Kind } from './generated-pages.ts';
import type { Measurement } from './groups.ts';
import { answerOnce, type Load, sampleLoad } from './load.ts';
import { runRounds } from './rounds.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const GATEHOUSE = fileURLToPath(new URL('../server/gatehouse.mjs', import.meta.url));
const BARE = fileURLToPath(new URL('bare-koa.ts', import.meta.url));

const PAGES = 4_000;
const QUERIES = 200;
const ASKED: readonly Kind[] = ['word', 'two words', 'beginning', 'typing error', 'frequent word'];
const BARE_NAME = 'bare Koa, as long as the mean answer';

/**
 * `GET …/search` of the server as it is started by the command line, its site filled over the API, beside a bare Koa
 * answer. Every kind goes through its queries in turn; every answer is held against the first one to its query.
 */
export async function measureSearchHttp({
  rounds,
  sampleMs,
}: {
  rounds: number;
  sampleMs: number;
}): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const started: ServerProcess[] = [];
  const start = async (script: string, args: string[], env: Record<string, string>) => {
    const server = await startServer(script, args, env);
    started.push(server);
    return server.port;
  };
  try {
    const key = await issueKey(folder);
    const env = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent' };
    const port = await start(GATEHOUSE, ['serve'], env);
    const { siteId, pagesPerSecond } = await fillSite(`http://127.0.0.1:${port}`, key);
    const loads: (Load & { sizeBytes: number })[] = [];
    for (const kind of ASKED) loads.push(await makeLoad(port, siteId, kind));
    const sizeBytes = Math.round(loads.reduce((sum, load) => sum + load.sizeBytes, 0) / loads.length);
    const bare = JSON.stringify('x'.repeat(sizeBytes - 2));
    const bareLoad: Load = {
      name: BARE_NAME,
      port: await start(BARE, [String(sizeBytes)], {}),
      request: requestFor('/'),
      status: 200,
      isRight: (body) => body === bare,
    };
    const contenders = [bareLoad, ...loads].map((load) => ({
      name: load.name,
      baseline: load === bareLoad ? null : BARE_NAME,
      sample: () => sampleLoad(load, sampleMs),
    }));
    const rows = await runRounds(contenders, rounds);
    return {
      rows,
      notes: [
        `answers of ${sizeBytes} bytes on average`,
        `filled over the API at ${pagesPerSecond} pages/s, 1,000 in a call`,
      ],
    };
  } finally {
    await Promise.all(started.map((server) => server.stop()));
    rmSync(folder, { recursive: true });
  }
}

async function issueKey(folder: string): Promise<string> {
  const args = [GATEHOUSE, 'keys', 'issue', '--tier', 'pro', '--tenant', 'bench'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { DATA_DIR: folder } });
  return JSON.parse(stdout).key;
}

async function fillSite(origin: string, key: string): Promise<{ siteId: string; pagesPerSecond: number }> {
  const made = await fetch(`${origin}/sites`, { method: 'POST', headers: { 'X-API-Key': key } });
  const { siteId, siteSecret } = await expectOk(made);
  let spentMs = 0;
  for (let from = 0; from < PAGES; from += 1_000) {
    const pages = Array.from({ length: 1_000 }, (_, i) => ({
      ...generatePage(from + i),
      url: `https://bench.test/${from + i}`,
    }));
    const startMs = performance.now();
    await expectOk(
      await fetch(`${origin}/sites/${siteId}/pages?siteSecret=${siteSecret}`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(pages),
      }),
    );
    spentMs += performance.now() - startMs;
  }
  return { siteId, pagesPerSecond: Math.round(PAGES / (spentMs / 1_000)) };
}

async function expectOk(answer: Response) {
  if (!answer.ok) throw new Error(`the site could not be filled: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function makeLoad(port: number, siteId: string, kind: Kind): Promise<Load & { sizeBytes: number }> {
  const expected = new Map<string, string>();
  const requests: Buffer[] = [];
  let bytes = 0;
  for (const query of generateQueries(kind, QUERIES, PAGES)) {
    const request = requestFor(`/sites/${siteId}/search?query=${encodeURIComponent(query)}`);
    const body = await answerOnce(port, request);
    // What finds nothing would be no work.
    if (JSON.parse(body).total === 0) continue;
    expected.set(query, withoutTime(body));
    requests.push(request);
    bytes += body.length;
  }
  let asked = 0;
  return {
    name: `GET …/search, ${kind}, ${requests.length} queries, log off`,
    port,
    request: () => requests[asked++ % requests.length],
    status: 200,
    isRight: (body) => expected.get(JSON.parse(body).query) === withoutTime(body),
    sizeBytes: bytes / requests.length,
  };
}

const requestFor = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
const withoutTime = (body: string) => body.replace(/,"took_ms":\d+/, '');
