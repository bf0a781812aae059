import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from './config.ts';
import { prepareDataFolder } from './store/data-folder.ts';
import { openEnvironment } from './store/environment.ts';

// What a backup holds. The made sealing keys are left out on purpose: a server that begins anew with a copy of its store has
// forgotten what was spent since, and with keys of its own it takes nothing that was issued before.
const STORE = 'gatehouse.lmdb';
const SECRETS = ['admin-key', 'demo-site'];
const SEALING = 'pow-keys';

export type Output = { log(line: string): void };

/**
 * Copies the store and the kept secrets into a new folder; a server may be running on them meanwhile.
 * @throws Error that says what is in the way
 */
export async function backUp(folder: string, { DATA_DIR }: Config, output: Output): Promise<number> {
  if (!existsSync(join(DATA_DIR, STORE)))
    throw new Error(`DATA_DIR ${DATA_DIR}: there is no store to back up`);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder}: expected a new or empty folder, so that no backup is half of another`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const environment = await openEnvironment(DATA_DIR);
  try {
    // Under another name until it is whole: what was cut off cannot be taken for a backup.
    await environment.backup(join(resolve(folder), `${STORE}.part`));
  } finally {
    await environment.close();
  }
  for (const name of SECRETS) copySecret(name, DATA_DIR, folder);
  chmodSync(join(folder, `${STORE}.part`), 0o600);
  renameSync(join(folder, `${STORE}.part`), join(folder, STORE));
  output.log(`the store and its secrets are in ${folder}; the made sealing keys are not, and need not be`);
  return 0;
}

/**
 * Puts a backup into a data folder without a store, on which no server runs.
 * @throws Error that says what is in the way
 */
export async function restore(
  folder: string,
  { DATA_DIR, POW_KEYS }: Config,
  output: Output,
): Promise<number> {
  if (!existsSync(join(folder, STORE)))
    throw new Error(`${folder}: expected a backup, found no ${STORE} in it`);
  prepareDataFolder(DATA_DIR);
  if (existsSync(join(DATA_DIR, STORE)))
    throw new Error(
      `DATA_DIR ${DATA_DIR}: there is a store already: stop the server, and move the folder away`,
    );
  // First of all: cut off after the store is there, the keys would stay good for what it does not know to be spent.
  const kept = join(DATA_DIR, SEALING);
  if (existsSync(kept)) renameSync(kept, `${kept}.before-restore`);
  for (const name of SECRETS) copySecret(name, folder, DATA_DIR);
  const part = join(DATA_DIR, `${STORE}.part`);
  copyFileSync(join(folder, STORE), part);
  chmodSync(part, 0o600);
  renameSync(part, join(DATA_DIR, STORE));
  // Opened once, so that a file which is no store is told here.
  try {
    await (await openEnvironment(DATA_DIR)).close();
  } catch (error) {
    rmSync(join(DATA_DIR, STORE));
    throw error;
  }
  output.log(
    POW_KEYS
      ? 'restored; now give POW_KEYS a new first key and leave out the old ones, or start an hour after the old server ' +
          'stopped at the earliest: what was spent since the backup could be spent again'
      : 'restored; the next start makes new sealing keys, so that nothing spent since the backup is good again: visitors ' +
          'pay once more',
  );
  return 0;
}

function copySecret(name: string, from: string, to: string): void {
  if (!existsSync(join(from, name))) return;
  copyFileSync(join(from, name), join(to, name));
  chmodSync(join(to, name), 0o600);
}
