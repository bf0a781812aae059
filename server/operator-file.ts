import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

// Our choice, far above what anybody writes by hand: a wrong path often leads to a log or a database.
const MOST_BYTES = 4 * 1_048_576;

const NOT_ALLOWED = 'the user that runs Gatehouse may not read it: change its owner or its mode';

/** What the operator did, by what the system says of it. */
const REASONS: Record<string, string> = {
  ENOENT: 'expected a file, found nothing there: correct the path, or make the file',
  ENOTDIR: 'expected a file, but a part of its path is no folder: correct the path',
  ELOOP: 'expected a file, but its symbolic links lead in a circle: correct them',
  ENAMETOOLONG:
    'expected a path to a file, got a text too long for one: name the file, not what stands in it',
  ENXIO:
    'expected a regular file, found a pipe, a socket or a device: it could not be read again at a reload',
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
};

/**
 * The text of a file that the operator names: UTF-8, a byte order mark left out, not empty.
 * @throws Error that says in a sentence what was expected, what was found and what to do; without path and content
 */
export function readOperatorFile(path: string): string {
  try {
    // Without the flag a pipe that nobody writes to would hold the start for ever.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return readOpen(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined
      ? error
      : new Error(REASONS[code] ?? `it cannot be read (${code})`, { cause: error });
  }
}

function readOpen(file: number): string {
  const stats = fstatSync(file);
  if (stats.isDirectory()) throw new Error('expected a file, found a folder: name a file in it');
  if (!stats.isFile()) throw new Error(REASONS.ENXIO);
  if (stats.size > MOST_BYTES) {
    throw new Error(`expected at most ${MOST_BYTES} bytes, found ${stats.size}: is this the right file?`);
  }
  const text = decode(readFileSync(file));
  if (text.trim() === '') throw new Error('expected content, found an empty file: write it, or name another');
  return text;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('expected text in UTF-8: save it so');
  }
}

/**
 * What a file holds as JSON. Where it is none the error tells the place and never the text, which may hold a secret.
 * @throws Error as `readOperatorFile`
 */
export function readOperatorJson(path: string): unknown {
  const text = readOperatorFile(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec((error as Error).message) ?? [];
    const place = line ? `, faulty at line ${line}, column ${column}` : '';
    throw new Error(`expected JSON${place}: correct it there`, { cause: error });
  }
}

/**
 * Looks up variables that hold secrets: in the environment, or in the file that a twin ending in `_FILE` names.
 * @throws (the function given) Error that names the twin and the path of a file that cannot be read
 */
export const createLookUp =
  (env: Record<string, string | undefined>) =>
  (name: string): string | undefined => {
    const path = env[`${name}_FILE`];
    if (env[name] || !path) return env[name] || undefined;
    try {
      return readOperatorFile(path).trim();
    } catch (error) {
      throw new Error(`${name}_FILE ${path}: ${(error as Error).message}`, { cause: error });
    }
  };
