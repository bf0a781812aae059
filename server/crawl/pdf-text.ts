import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Timer } from '../base/ports.ts';

export type PdfText = { title: string; text: string };

/** The text of a PDF. @throws Error where it is none, is locked, takes too long or too much memory */
export type ReadPdf = (bytes: Uint8Array) => Promise<PdfText>;

const WORKER = fileURLToPath(new URL('./pdf-worker.ts', import.meta.url));

// Our choices: a PDF of 10 MB takes a few seconds and some 100 MB.
const TIME_LIMIT_MS = 30_000;
const MEMORY_MB = 512;

/** Reads PDFs one after the other, each in a thread that ends with it. */
export function createReadPdf(timer: Timer, timeLimitMs = TIME_LIMIT_MS): ReadPdf {
  let last: Promise<unknown> = Promise.resolve();
  return function readPdf(bytes) {
    const reading = last.then(() => readInThread(bytes, timer, timeLimitMs));
    last = reading.catch(() => {});
    return reading;
  };
}

function readInThread(bytes: Uint8Array, timer: Timer, timeLimitMs: number): Promise<PdfText> {
  const worker = new Worker(WORKER, {
    workerData: bytes,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  return new Promise<PdfText>((resolve, reject) => {
    const cancel = timer.after(timeLimitMs, () => reject(new Error(`no text within ${timeLimitMs} ms`)));
    worker.once('message', resolve);
    worker.once('error', (cause) => reject(new Error('the PDF cannot be read', { cause })));
    worker.once('exit', () => {
      cancel();
      reject(new Error('the thread ended without a text'));
    });
  }).finally(() => worker.terminate());
}
