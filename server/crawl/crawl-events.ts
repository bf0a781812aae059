import { Readable } from 'node:stream';
import { Fault } from '../base/fault.ts';
import type { Timer } from '../base/ports.ts';
import type { CrawlRecord } from './core/ports.ts';
import { isActive } from './core/ports.ts';
import { showCrawl } from './crawl-body.ts';
import { sleep } from './pace.ts';
import type { Crawls } from './service.ts';

// Our choices: as often as people look; a line now and then keeps proxies from closing what is silent.
const LOOK_EVERY_MS = 500;
const LOOKS_A_SIGN_OF_LIFE = 30;
const SKIPS_A_LOOK = 500;

export type StreamDeps = { crawls: Crawls; timer: Timer; isStopping(): boolean };

/**
 * A crawl as server-sent events (HTML Standard §9.2), until it ends. It is read from the store: the crawl may run in
 * another process than the one that was asked.
 */
export function streamCrawl(deps: StreamDeps, siteId: string, crawlId: string, after: number): Readable {
  const gone = new AbortController();
  const stream = Readable.from(tell(deps, siteId, crawlId, after, gone.signal));
  stream.on('close', () => gone.abort());
  return stream;
}

async function* tell(
  { crawls, timer, isStopping }: StreamDeps,
  siteId: string,
  crawlId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let told = '';
  let at = after;
  for (let look = 1; !signal.aborted; look++) {
    const record = readIfThere(crawls, siteId, crawlId);
    if (!record) return;
    for (let more = true; more; ) {
      const skips = crawls.skipped(crawlId, at, SKIPS_A_LOOK);
      more = skips.length === SKIPS_A_LOOK;
      for (const { at: number, ...skip } of skips) {
        at = number;
        yield event('skipped', skip, number);
      }
    }
    const state = JSON.stringify(showCrawl(record));
    if (!isActive(record)) return yield event('done', showCrawl(record));
    if (state !== told) yield event('progress', showCrawl(record));
    else if (look % LOOKS_A_SIGN_OF_LIFE === 0) yield ': still here\n\n';
    told = state;
    // The client comes back by itself, to the process that is there then.
    if (isStopping()) return;
    await sleep(timer, LOOK_EVERY_MS, signal);
  }
}

function readIfThere(crawls: Crawls, siteId: string, crawlId: string): CrawlRecord | null {
  try {
    return crawls.read(siteId, crawlId);
  } catch (error) {
    if (error instanceof Fault && error.code === 'unknown-crawl') return null;
    throw error;
  }
}

const event = (name: string, data: unknown, id?: number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
