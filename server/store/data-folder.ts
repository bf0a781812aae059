import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const NOT_ALLOWED =
  'the user that runs Gatehouse may not read and write there: change its owner, or name another folder';

/** What the operator did, by what the system says of it. */
const REASONS: Record<string, string> = {
  EEXIST: 'expected a folder, found a file: name another',
  ENOTDIR: 'expected a folder, but a part of its path is a file: correct the path',
  EROFS: 'it lies on a file system that is read-only: name a folder that can be written',
  // Folders of /proc and the like, where nobody can make one.
  ENOENT: 'no folder can be made there: name another',
  ELOOP: 'its symbolic links lead in a circle: correct them',
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
};

// What a server that was once run by another user leaves behind, and then cannot open. LMDB's lock file is not among them:
// to close it ends the locks of a process that has it open.
const KEPT = {
  'gatehouse.lmdb': constants.O_RDWR,
  'pow-keys': constants.O_RDONLY,
  'admin-key': constants.O_RDONLY,
};

/**
 * Makes the folder where there is none, for its owner alone, and looks whether it and what is kept in it can be used.
 * @throws Error that says in a sentence what is in the way and what to do; it begins with `DATA_DIR`
 */
export function prepareDataFolder(folder: string): void {
  const fail = (path: string, error: unknown): never => {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`DATA_DIR ${path}: ${REASONS[code] ?? message}`, { cause: error });
  };
  try {
    makeFolder(resolve(folder));
    // Tried and not asked: what the mode of a folder says is not all, on network folders and under policies of the system.
    rmdirSync(mkdtempSync(join(folder, '.start-')));
  } catch (error) {
    // A full disk is no reason not to start: passports go on, and the store says what it cannot write.
    if (!['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) fail(folder, error);
  }
  for (const [name, flags] of Object.entries(KEPT)) {
    const path = join(folder, name);
    try {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats && !stats.isFile()) throw new Error('expected a file: move it away');
      if (stats) closeSync(openSync(path, flags));
    } catch (error) {
      fail(path, error);
    }
  }
}

// Not by `recursive`: Node 24 tries for ever where a parent is there and takes no folder, as /proc does.
function makeFolder(path: string, isAbove = false): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return;
  if (stats) throw Object.assign(new Error('found a file'), { code: isAbove ? 'ENOTDIR' : 'EEXIST' });
  if (dirname(path) !== path) makeFolder(dirname(path), true);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it in between.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
