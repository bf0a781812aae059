import { systemRandom } from '../server/base/system.ts';
import type { IndexBackend } from '../server/search/core/ports.ts';
import { createTextTools } from '../server/search/text/text-tools.ts';
import { openEnvironment } from '../server/store/environment.ts';
import { createLmdbIndex } from '../server/store/search/lmdb-backend.ts';
import { makeFolder } from './temporary-folder.ts';

/** An LMDB index in a new folder, or in `folder`, which is then left where it is. */
export async function openIndex(
  given: { folder?: string; memoryBytes?: number } = {},
): Promise<{ index: IndexBackend; folder: string; close(): Promise<void> }> {
  const made = given.folder === undefined ? makeFolder() : null;
  const folder = given.folder ?? (made as { folder: string }).folder;
  const environment = await openEnvironment(folder);
  const memory = given.memoryBytes === undefined ? {} : { memoryBytes: given.memoryBytes };
  const index = createLmdbIndex(environment, { tools: createTextTools(), random: systemRandom, ...memory });
  return {
    index,
    folder,
    async close() {
      await index.close();
      await environment.close();
      made?.remove();
    },
  };
}
