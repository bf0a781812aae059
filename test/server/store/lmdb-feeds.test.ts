import { openEnvironment } from '../../../server/store/environment.ts';
import { createLmdbFeeds } from '../../../server/store/lmdb-feeds.ts';
import { testFeeds } from '../../contract/feeds.ts';
import { createMemoryFeeds } from '../../memory-feeds.ts';
import { makeFolder } from '../../temporary-folder.ts';

testFeeds('LMDB', async () => {
  const { folder, remove } = makeFolder();
  const environment = await openEnvironment(folder);
  const close = async () => {
    await environment.close();
    remove();
  };
  return { store: createLmdbFeeds(environment), close };
});

testFeeds('memory', async () => ({ store: createMemoryFeeds(), close: async () => {} }));
