import { Worker } from 'node:worker_threads';
import type { Timer } from '../../base/ports.ts';
import type { ParsedFeed, ParseFeed } from '../core/feed-ports.ts';

// Our choices. 10 MB of ordinary entries take about a second; a tag of half a million attributes took nine.
const TIME_LIMIT_MS = 10_000;
const MOST_MEGABYTES = 512;

/**
 * Reads feeds in a thread of their own, which ends with the feed or when it has had its time. So a feed that is made to
 * take long keeps no request waiting, and one that takes all memory takes only its own.
 */
export const createParseFeed =
  (timer: Timer): ParseFeed =>
  (text, url) =>
    new Promise((resolve) => {
      const worker = new Worker(new URL('./feed-worker.ts', import.meta.url), {
        workerData: { text, url },
        resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
      });
      const cancel = timer.after(TIME_LIMIT_MS, () => end(null));
      function end(feed: ParsedFeed | null): void {
        cancel();
        resolve(feed);
        worker.terminate().catch(() => {});
      }
      worker.once('message', end);
      worker.once('error', () => end(null));
      worker.once('exit', () => end(null));
    });
