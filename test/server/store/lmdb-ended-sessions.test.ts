import { openEnvironment } from '../../../server/store/environment.ts';
import { createLmdbEndedSessions } from '../../../server/store/lmdb-ended-sessions.ts';
import { testEndedSessions } from '../../contract/ended-sessions.ts';
import { makeFolder } from '../../temporary-folder.ts';
import { createMemoryEndedSessions } from '../../test-console.ts';

testEndedSessions('LMDB', async () => {
  const { folder, remove } = makeFolder();
  const environment = await openEnvironment(folder);
  return {
    ended: createLmdbEndedSessions(environment),
    async close() {
      await environment.close();
      remove();
    },
  };
});

testEndedSessions('the memory of the tests', async () => ({
  ended: createMemoryEndedSessions(),
  close: async () => {},
}));
