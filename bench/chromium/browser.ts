import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { launchChromium } from '../../test/e2e/chromium.ts';
import { openPageClock } from './page-clock.ts';
import { readWorkerTimes, type WorkerTimes } from './worker-threads.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** A headless Chromium with the page of the benchmark. */
export type BenchBrowser = {
  version: string;
  /** Opens the page in a fresh context, so in a process of its own, and closes it after `use`. */
  inFreshPage<T>(use: (page: Page) => Promise<T>): Promise<T>;
  /** Of the workers that run now. */
  workerTimes(): Promise<WorkerTimes | null>;
  close(): Promise<void>;
};

/** Builds the page, serves it on the loopback with the files that the solvers ask for, and starts Chromium. */
export async function openBenchBrowser(): Promise<BenchBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-page-'));
  await build({
    configFile: false,
    root: HERE,
    logLevel: 'error',
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      rolldownOptions: { input: join(HERE, 'page.html') },
    },
    worker: { format: 'es' },
  });
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    const isOurs = /^\/files\/(build\/wasm|node_modules)\//.test(path);
    try {
      const bytes = readFileSync(isOurs ? join(ROOT, path.slice('/files/'.length)) : join(folder, path));
      response
        .writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' })
        .end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}/page.html`;
  const browser = await launchChromium();
  return {
    version: browser.version(),
    async inFreshPage(use) {
      const context = await browser.newContext();
      try {
        const page = await context.newPage();
        await page.exposeFunction('computedMs', await openPageClock(page));
        await page.goto(url);
        await page.waitForFunction('globalThis.bench !== undefined');
        return await use(page);
      } finally {
        await context.close();
      }
    },
    workerTimes: () => readWorkerTimes(browser),
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
