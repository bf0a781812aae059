import { encodeBase64url } from '../../base/base64url.ts';
import type { Random } from '../../base/ports.ts';
import type { IndexBackend } from '../../search/core/ports.ts';
import type { TextTools } from '../../search/core/text-tools.ts';
import { fault } from '../../wire/problem.ts';
import type { Environment } from '../environment.ts';
import { createHotSites } from './hot-sites.ts';
import { createMerges } from './merges.ts';
import { createReader } from './reader.ts';
import { refuseOtherFormat } from './site-state.ts';
import { sweepDropped } from './sweep.ts';
import { createWriter } from './writer.ts';

export type LmdbIndexDeps = {
  tools: TextTools;
  random: Random;
  /** Memory for the vocabularies of the sites that were used last, all together. Default 64 MiB. */
  memoryBytes?: number;
  /** Terms of all pages in one transaction, unless a single call brings more. Default 150,000. */
  mostTerms?: number;
};

const MEMORY_BYTES = 64 * 1024 * 1024;
// Our choice. A transaction keeps all other work waiting, by some tenths of a µs for a word of a page: calls that come
// together must not add up to seconds, and one call is taken in parts. Some 1,000 pages of documentation.
const MOST_TERMS = 60_000;
const STAMP_BYTES = 9;

/**
 * The index in LMDB: docs/search-index.md says how.
 * @throws Error where a server of another format wrote the index
 */
export function createLmdbIndex(
  environment: Pick<Environment, 'bytes' | 'write'>,
  { tools, random, memoryBytes = MEMORY_BYTES, mostTerms = MOST_TERMS }: LmdbIndexDeps,
): IndexBackend {
  const table = environment.bytes('search');
  refuseOtherFormat(table);
  const hot = createHotSites(table, memoryBytes);
  const reader = createReader(table, hot, tools);
  const newStamp = () => encodeBase64url(random.bytes(STAMP_BYTES));
  const merges = createMerges({ environment, table, newStamp });
  const onWritten = merges.consider;
  const writer = createWriter({ environment, table, tools, newStamp, mostTerms, onWritten });
  let isClosed = false;
  let sweeping: Promise<void> = Promise.resolve();
  const sweep = () => {
    sweeping = sweeping.then(() => sweepDropped(environment, table, () => isClosed));
    return sweeping;
  };
  // What a process that ended in the middle has left. The next drop tries again where this fails.
  sweep().catch(() => {});

  async function read<Result>(run: () => Result): Promise<Result> {
    try {
      return run();
    } catch (cause) {
      throw fault('store-unavailable', 'the search index cannot be read', { cause });
    }
  }

  return {
    async put(siteId, pages, mostPages) {
      return pages.length === 0 ? [] : writer.put(siteId, pages, mostPages);
    },
    get: (siteId, pageId) => read(() => reader.get(siteId, pageId)),
    async remove(siteId, pageIds) {
      return pageIds.length === 0 ? 0 : writer.remove(siteId, pageIds);
    },
    list: (siteId, after, limit) => read(() => reader.list(siteId, after, limit)),
    async drop(siteId) {
      const site = await writer.drop(siteId);
      if (site === 0) return;
      hot.forget(site);
      sweeping = sweeping.catch(() => {});
      await sweep();
    },
    search: (siteId, request) => read(() => reader.search(siteId, request)),
    autocomplete: (siteId, text, limit) => read(() => reader.autocomplete(siteId, text, limit)),
    size: (siteId) => read(() => reader.size(siteId)),
    async close() {
      isClosed = true;
      await writer.settle();
      await merges.close();
      await sweeping.catch(() => {});
    },
  };
}
