import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import type { Outbound } from '../../base/outbound.ts';
import type { Clock } from '../../base/ports.ts';
import { DOWNLOADS, type Download, lastTwoMonths, urlOf } from './downloads.ts';
import { openMmdb } from './mmdb-file.ts';
import { readNetworkList } from './network-list.ts';

const USAGE = 'expected: data update [--from URL]';

// Two files of some fifty megabytes each over a slow line.
const TIME_LIMIT_MS = 900_000;

export type UpdateDeps = {
  /** Where the files go. */
  folder: string;
  outbound: Outbound;
  clock: Clock;
  output: { log(line: string): void; error(line: string): void };
};

/**
 * Runs `data update`: fetches each file, proves it, and puts it in the place of the old one; a running server takes it
 * up by itself. What cannot be fetched or proven leaves the old file as it is. Gives the exit status: 1 where anything
 * failed.
 */
export async function runDataCommand(args: readonly string[], deps: UpdateDeps): Promise<number> {
  const mirror = readMirror(args);
  if (mirror === undefined) {
    deps.output.error(USAGE);
    return 2;
  }
  await mkdir(deps.folder, { recursive: true });
  let failed = 0;
  for (const download of DOWNLOADS) {
    try {
      const said = await update(download, mirror, deps);
      deps.output.log(`${download.name}: ${said}`);
    } catch (error) {
      failed++;
      deps.output.error(
        `${download.name}: ${(error as Error).message}; the old file, if there is one, stays`,
      );
    }
  }
  return failed > 0 ? 1 : 0;
}

/** The mirror, null for the makers' own servers, undefined where the arguments are wrong. */
function readMirror([command, ...rest]: readonly string[]): string | null | undefined {
  if (command !== 'update') return undefined;
  try {
    const { values } = parseArgs({ args: rest, options: { from: { type: 'string' } } });
    if (values.from === undefined) return null;
    return URL.canParse(values.from) ? values.from : undefined;
  } catch {
    return undefined;
  }
}

async function update(download: Download, mirror: string | null, deps: UpdateDeps): Promise<string> {
  const part = join(deps.folder, `.${download.name}.part`);
  try {
    const url = await fetchTo(part, download, mirror, deps);
    const told = await prove(part, download);
    await rename(part, join(deps.folder, download.name));
    return `${told}, from ${url}`;
  } finally {
    await rm(part, { force: true });
  }
}

async function fetchTo(
  part: string,
  download: Download,
  mirror: string | null,
  { outbound, clock }: UpdateDeps,
): Promise<string> {
  const months = lastTwoMonths(clock.nowMs()).slice(0, download.isMonthly ? 2 : 1);
  for (const [i, month] of months.entries()) {
    const url = urlOf(download, month, mirror);
    const answer = await outbound(url, {
      redirect: 'follow',
      timeLimitMs: TIME_LIMIT_MS,
      mostBytes: download.mostBytes,
    });
    if (answer.status === 404 && i + 1 < months.length) {
      await answer.body?.cancel();
      continue;
    }
    if (answer.status !== 200 || !answer.body) throw new Error(`${url} answered ${answer.status}`);
    const unpacked = download.isGzip ? [createGunzip()] : [];
    await pipeline([
      Readable.fromWeb(answer.body as import('node:stream/web').ReadableStream),
      ...unpacked,
      bound(download.mostBytes),
      createWriteStream(part),
    ]);
    return url;
  }
  throw new Error('no month to ask for');
}

/** Lets through so many bytes and no more: what a small archive unpacks to is not known before. */
function bound(mostBytes: number): Transform {
  let count = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      count += chunk.length;
      if (count > mostBytes) done(new Error(`more than ${mostBytes} bytes`));
      else done(null, chunk);
    },
  });
}

async function prove(path: string, { name }: Download): Promise<string> {
  if (name.endsWith('.mmdb')) {
    const { source } = await openMmdb(path);
    return `${source.name} of ${source.buildDate ?? 'an unknown day'}`;
  }
  const { count } = readNetworkList(await readFile(path, 'utf8'));
  // An error page that happens to be empty text would clear the list.
  if (count === 0) throw new Error('the list is empty');
  return `${count} networks`;
}
