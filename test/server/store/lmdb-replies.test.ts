import { openEnvironment } from '../../../server/store/environment.ts';
import { createLmdbReplies } from '../../../server/store/lmdb-replies.ts';
import { testReplies } from '../../contract/replies.ts';
import { createMemoryReplies } from '../../memory-replies.ts';
import { makeFolder } from '../../temporary-folder.ts';

testReplies('LMDB', async () => {
  const { folder, remove } = makeFolder();
  const environment = await openEnvironment(folder);
  const close = async () => {
    await environment.close();
    remove();
  };
  return { replies: createLmdbReplies(environment), close };
});

// The one that the other tests use keeps the same word.
testReplies('memory', async () => ({ replies: createMemoryReplies(), close: async () => {} }));
