import { openEnvironment } from '../../../server/store/environment.ts';
import { createLmdbDevices } from '../../../server/store/lmdb-devices.ts';
import { testDeviceRows } from '../../contract/device-rows.ts';
import { createMemoryDevices } from '../../memory-devices.ts';
import { makeFolder } from '../../temporary-folder.ts';

testDeviceRows('LMDB', async (most) => {
  const { folder, remove } = makeFolder();
  const environment = await openEnvironment(folder);
  const close = async () => {
    await environment.close();
    remove();
  };
  return { rows: createLmdbDevices(environment, most), close };
});

// The one that the other tests use keeps the same word.
testDeviceRows('memory', async (most) => ({ rows: createMemoryDevices(most), close: async () => {} }));
