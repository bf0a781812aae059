import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';

/** Raised with every change that an older server could not read. */
const FORMAT_VERSION = 1;

/** The one LMDB environment of this server. Features keep their tables in it and never open their own. */
export type Environment = {
  /** A named table with binary keys and MessagePack values. */
  table<Value>(name: string): Database<Value, Buffer>;
  /** Reads from the environment; throws when it cannot. */
  probe(): void;
  close(): Promise<void>;
};

/**
 * Opens the environment in `dataDir`, and makes it where there is none.
 * @throws Error when the folder cannot be written, or was written by a newer format than this server reads
 */
export async function openEnvironment(dataDir: string): Promise<Environment> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const root: RootDatabase<unknown, string> = open({ path: join(dataDir, 'gatehouse.lmdb'), maxDbs: 64 });
  const found = root.get('format');
  if (typeof found === 'number' && found > FORMAT_VERSION) {
    await root.close();
    throw new Error(
      `the data in ${dataDir} has format ${found}, this server reads up to ${FORMAT_VERSION}: run a newer Gatehouse on it`,
    );
  }
  if (found !== FORMAT_VERSION) await root.put('format', FORMAT_VERSION);

  return {
    table: (name) => root.openDB({ name, keyEncoding: 'binary' }),
    probe: () => void root.get('format'),
    close: () => root.close(),
  };
}
