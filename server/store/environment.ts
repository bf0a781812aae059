import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import type { Clock } from '../base/ports.ts';
import { systemClock } from '../base/system.ts';
import { fault } from '../wire/problem.ts';
import { prepareDataFolder } from './data-folder.ts';
import { createRoomCheck } from './room-check.ts';

/** Raised with every change that an older server could not read. */
const FORMAT_VERSION = 1;

/** The one LMDB environment of this server. Features keep their tables in it and never open their own. */
export type Environment = {
  /** A named table with binary keys and MessagePack values. */
  table<Value>(name: string): Database<Value, Buffer>;
  /** A named table with binary keys and binary values. */
  bytes(name: string): Database<Buffer, Buffer>;
  /**
   * Runs a write; a store that cannot take it is a Fault for the caller and remembered for `probe`.
   * @throws Fault `store-unavailable`
   */
  write<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Rejects where the store cannot be read, or could not be written and still cannot. */
  probe(): Promise<void>;
  /** Writes a copy of all, as it is at one moment, into a new file. */
  backup(path: string): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the environment in `dataDir`, and makes it where there is none.
 * @throws Error when the folder cannot be written, holds something else, or was written by a newer format
 */
export async function openEnvironment(dataDir: string, clock: Clock = systemClock): Promise<Environment> {
  prepareDataFolder(dataDir);
  const path = join(dataDir, 'gatehouse.lmdb');
  refuseForeignFile(path);
  const root: RootDatabase<unknown, string> = open({ path, maxDbs: 64 });
  const found = root.get('format');
  if (typeof found === 'number' && found > FORMAT_VERSION) {
    await root.close();
    throw new Error(
      `the data in ${dataDir} has format ${found}, this server reads up to ${FORMAT_VERSION}: run a newer Gatehouse on it`,
    );
  }
  if (found !== FORMAT_VERSION) await root.put('format', FORMAT_VERSION);

  const room = createRoomCheck(dataDir, clock);
  let hasFailed = false;
  async function write<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      // LMDB's binding damages its heap a little with each commit that fails (measured: a handful ends the process), so
      // after one it is not asked again before the disk is known to take something.
      if (hasFailed && !(await room.isThere())) throw new Error('the disk took no test file');
      const result = await run();
      hasFailed = false;
      return result;
    } catch (cause) {
      hasFailed = true;
      throw fault('store-unavailable', 'the store cannot be written', {
        cause,
        headers: { 'Retry-After': '5' },
      });
    }
  }

  return {
    table: (name) => root.openDB({ name, keyEncoding: 'binary' }),
    bytes: (name) => root.openDB({ name, keyEncoding: 'binary', encoding: 'binary' }),
    write,
    async probe() {
      root.get('format');
      // Nobody writes to a server that says it is not ready: it must find out by itself that it is again.
      if (hasFailed) await write(() => root.put('format', FORMAT_VERSION));
    },
    backup: (path) => root.backup(path, true),
    close: () => root.close(),
  };
}

// The magic number of LMDB's meta page (mdb.c: MDB_MAGIC, in the byte order of this machine, behind a page header).
const MAGIC = 0xbeefc0de;
const MAGIC_AT = 24;
const LEAST_BYTES = 8_192;

// LMDB maps whatever it is given, and a file that is none of its own ends the process without a word.
function refuseForeignFile(path: string): void {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    const { size } = fstatSync(file);
    const head = Buffer.alloc(MAGIC_AT + 4);
    readSync(file, head, 0, head.length, 0);
    if (size === 0 || (size >= LEAST_BYTES && head.readUInt32LE(MAGIC_AT) === MAGIC)) return;
  } finally {
    closeSync(file);
  }
  throw new Error(`${path} is no LMDB file, or only the beginning of one: restore a backup, or move it away`);
}

/**
 * Whether `reason` is one of the promises that LMDB rejects beside the one that its caller holds when a commit fails.
 * The caller's own has been answered with a Fault by then.
 */
export function isCommitFailure(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false;
  const { code, commitError } = reason as { code?: unknown; commitError?: unknown };
  // LMDB's own codes and the system's errno are numbers, Node's codes are texts.
  return typeof code === 'number' || commitError !== undefined || /^Commit failed|^MDB_/.test(reason.message);
}
