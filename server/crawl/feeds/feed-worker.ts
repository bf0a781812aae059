import { parentPort, workerData } from 'node:worker_threads';
import { readFeedEntries } from './feed-entries.ts';

// One feed, then the end: what a feed makes of this thread's memory goes with it.
const { text, url } = workerData as { text: string; url: string };
try {
  parentPort?.postMessage(readFeedEntries(text, url));
} catch {
  parentPort?.postMessage(null);
}
