import { openEnvironment } from '../../../server/store/environment.ts';
import { createLmdbQueryCounts } from '../../../server/store/lmdb-query-counts.ts';
import { createLmdbSites } from '../../../server/store/lmdb-sites.ts';
import { testQueryCounts } from '../../contract/query-counts.ts';
import { testSites } from '../../contract/sites.ts';
import { createMemoryQueryCounts, createMemorySites } from '../../memory-sites.ts';
import { makeFolder } from '../../temporary-folder.ts';

async function openLmdb() {
  const { folder, remove } = makeFolder();
  const environment = await openEnvironment(folder);
  const close = async () => {
    await environment.close();
    remove();
  };
  return { sites: createLmdbSites(environment), store: createLmdbQueryCounts(environment), close };
}

testSites('LMDB', openLmdb);
testQueryCounts('LMDB', openLmdb);

// Those that the other tests use keep the same word.
testSites('memory', async () => ({ sites: createMemorySites(), close: async () => {} }));
testQueryCounts('memory', async () => ({ store: createMemoryQueryCounts(), close: async () => {} }));
