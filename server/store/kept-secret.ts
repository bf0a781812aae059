import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The text of `file` in `folder`; where there is none, `make()` is written there first, readable by the owner alone.
 *
 * Two processes that start at once end up with one secret: the file appears whole (a hard link onto the name) or not at
 * all, and who comes second reads what the first has written.
 */
export function keepSecret(
  folder: string,
  file: string,
  make: () => string,
): { text: string; isNew: boolean } {
  const path = join(folder, file);
  const kept = readIfThere(path);
  if (kept !== null) return { text: kept, isNew: false };

  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${make()}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return { text: readFileSync(path, 'utf8').trim(), isNew: false };
  } finally {
    unlinkSync(draft);
  }
  return { text: readFileSync(path, 'utf8').trim(), isNew: true };
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
