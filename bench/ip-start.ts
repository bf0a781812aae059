import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { answerOnce } from './load.ts';
import { type Row, runRounds } from './rounds.ts';
import { startServer } from './server-process.ts';
import { summarise } from './statistics.ts';
import { expectRight } from './wrong-answer.ts';

const GATEHOUSE = fileURLToPath(new URL('../server/gatehouse.mjs', import.meta.url));
const BARE = fileURLToPath(new URL('bare-koa.ts', import.meta.url));
const BARE_NAME = 'bare Koa, from its start to its first answer';
const NAME = 'the whole server with the city files, to its first /whois.json';
const BARE_BYTES = 941;
const SIDE_BY_SIDE = 16;

type Memory = { startedMb: number[]; busyMb: number[] };

/**
 * How long a server takes from nothing to its first right answer, and what memory it holds then and after look-ups of
 * random addresses, beside a bare Koa. A server without the IP data cannot be had: the snapshot comes with it.
 */
export async function measureIpStart({
  rounds,
  lookUps,
}: {
  rounds: number;
  lookUps: number;
}): Promise<{ rows: Row[]; notes: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const memory: Record<string, Memory> = {
    [BARE_NAME]: { startedMb: [], busyMb: [] },
    [NAME]: { startedMb: [], busyMb: [] },
  };
  const contender = (
    name: string,
    script: string,
    args: string[],
    env: Record<string, string>,
    isRight: (body: string) => boolean,
  ) => ({
    name,
    baseline: name === BARE_NAME ? null : BARE_NAME,
    async sample() {
      const startedMs = performance.now();
      const server = await startServer(script, args, env);
      try {
        const body = await answerOnce(server.port, requestOf('84.1.2.3'));
        const perSecond = 1000 / (performance.now() - startedMs);
        expectRight(
          name,
          () => isRight(body),
          () => body.slice(0, 600),
        );
        memory[name].startedMb.push(residentMb(server.pid));
        await lookUpRandom(server.port, lookUps);
        memory[name].busyMb.push(residentMb(server.pid));
        return { perSecond, checked: 1 };
      } finally {
        await server.stop();
      }
    },
  });
  try {
    const env = {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      THROTTLE_IP: '1000000000/60',
    };
    const rows = await runRounds(
      [
        contender(BARE_NAME, BARE, [String(BARE_BYTES)], {}, (body) => body.length === BARE_BYTES),
        contender(NAME, GATEHOUSE, ['serve'], env, (body) => JSON.parse(body).countryIso === 'HU'),
      ],
      rounds,
    );
    return { rows, notes: rows.map((row) => noteOf(row, memory[row.name], lookUps)) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function noteOf({ name, perSecond }: Row, { startedMb, busyMb }: Memory, lookUps: number): string {
  const ms = Math.round(1000 / summarise(perSecond).median);
  const mb = (values: number[]) => Math.round(summarise(values).median);
  return `${name}: ${ms} ms; ${mb(startedMb)} MB resident, ${mb(busyMb)} MB after ${lookUps} requests`;
}

/** What the operating system holds of a process in memory. */
const residentMb = (pid: number) =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;

const requestOf = (address: string) =>
  Buffer.from(`GET /whois.json?queryIP=${address} HTTP/1.1\r\nHost: localhost\r\n\r\n`);

/** Asks for so many IPv4 addresses of the whole space, some of them bogons, each once. */
async function lookUpRandom(port: number, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: SIDE_BY_SIDE });
  const octet = () => Math.floor(Math.random() * 256);
  let left = count;
  const keepAsking = async () => {
    while (left-- > 0) await statusOf(port, agent, [octet(), octet(), octet(), octet()].join('.'));
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, keepAsking));
  agent.destroy();
}

function statusOf(port: number, agent: Agent, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent, path: `/whois.json?queryIP=${address}` }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${address} gave ${answer.statusCode}`));
      answer.resume().once('end', resolve);
    }).once('error', reject);
  });
}
