import { openEnvironment } from '../../../server/store/environment.ts';
import { createLmdbCrawls } from '../../../server/store/lmdb-crawls.ts';
import { testCrawls } from '../../contract/crawls.ts';
import { makeFolder } from '../../temporary-folder.ts';

testCrawls('LMDB', async () => {
  const { folder, remove } = makeFolder();
  const environment = await openEnvironment(folder);
  return {
    crawls: createLmdbCrawls(environment),
    async close() {
      await environment.close();
      remove();
    },
  };
});
