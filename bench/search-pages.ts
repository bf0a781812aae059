import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '../server/base/system.ts';
import type { IndexBackend, IndexPage } from '../server/search/core/ports.ts';
import { createTextTools } from '../server/search/text/text-tools.ts';
import { openEnvironment } from '../server/store/environment.ts';
import { createLmdbIndex } from '../server/store/search/lmdb-backend.ts';

/** A page of a collection as the index takes it. */
export function pageOf(
  name: string,
  title: string,
  body: string,
  headings: readonly string[] = [],
): IndexPage {
  const url = `https://bench.test/${name}`;
  return {
    id: createHash('sha256').update(`bench${url}`).digest('hex'),
    url,
    title,
    headings,
    body,
    labels: [],
    thumbnail: null,
    language: null,
    updatedAtSecs: 1_700_000_000,
    publishedAtSecs: null,
    source: 'api',
  };
}

/** The index in a folder of its own that goes with `close`. `reopen` gives it anew, with nothing in memory. */
export async function openBenchIndex(memoryBytes?: number): Promise<{
  index: IndexBackend;
  reopen(): Promise<IndexBackend>;
  fileBytes(): number;
  close(): Promise<void>;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const deps = { tools: createTextTools(), random: systemRandom, ...(memoryBytes && { memoryBytes }) };
  let environment = await openEnvironment(folder);
  let index = createLmdbIndex(environment, deps);
  return {
    index,
    async reopen() {
      await index.close();
      await environment.close();
      environment = await openEnvironment(folder);
      index = createLmdbIndex(environment, { ...deps, tools: createTextTools() });
      return index;
    },
    fileBytes: () =>
      readdirSync(folder)
        .filter((name) => !name.includes('lock'))
        .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0),
    async close() {
      await index.close();
      await environment.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
