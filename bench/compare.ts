import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Row } from './rounds.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// A whole group takes a minute at most in its quick form; npm ci on a slow line takes longer.
const LIMIT_MS = 600_000;

/** The name of this tree's rows and of the other's in a comparison. */
const HERE = 'this tree';

/**
 * Measures `group` of this tree and of another commit in turns, each time in fresh processes; the order turns too.
 *
 * The other tree gets this tree's `bench/`, so that both are measured by the same means. Rows that only one tree can
 * give are left out.
 */
export async function compareTrees(groups: readonly string[], commit: string, turns: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-compare-'));
  const other = join(folder, 'tree');
  try {
    checkOut(commit, other);
    const rows = new Map<string, Row>();
    for (let turn = 0; turn < turns; turn++) {
      const trees = [
        { name: HERE, path: ROOT },
        { name: commit, path: other },
      ];
      if (turn % 2 === 1) trees.reverse();
      for (const { name, path } of trees) {
        for (const row of await measureTree(path, groups)) {
          const key = `${row.name}: ${name}`;
          const known = rows.get(key);
          rows.set(key, {
            name: key,
            baseline: name === HERE ? `${row.name}: ${commit}` : null,
            perSecond: [...(known?.perSecond ?? []), ...row.perSecond],
            checked: row.checked + (known?.checked ?? 0),
          });
        }
      }
    }
    return pairs([...rows.values()]);
  } finally {
    git('worktree', 'remove', '--force', other);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The other commit's row, then this tree's beside it. */
function pairs(rows: readonly Row[]): Row[] {
  const mine = rows.filter(({ baseline }) => baseline !== null);
  return mine.flatMap((row) => {
    const theirs = rows.find(({ name }) => name === row.baseline);
    return theirs ? [theirs, row] : [];
  });
}

function checkOut(commit: string, path: string): void {
  git('worktree', 'add', '--detach', path, commit);
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  const run = (...args: string[]) =>
    execFileSync('npm', args, { cwd: path, stdio: 'ignore', timeout: LIMIT_MS });
  if (lock(path) === lock(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  else run('ci');
  rmSync(join(path, 'bench'), { recursive: true, force: true });
  cpSync(join(ROOT, 'bench'), join(path, 'bench'), { recursive: true });
  const needed = 'test/e2e/chromium.ts';
  if (!existsSync(join(path, needed))) cpSync(join(ROOT, needed), join(path, needed));
  run('run', '-s', 'build');
}

async function measureTree(root: string, groups: readonly string[]): Promise<Row[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'bench/main.ts'), ...groups, '--quick', '--own', '--json'],
    { cwd: root, maxBuffer: 2 ** 28, timeout: LIMIT_MS },
  );
  return JSON.parse(stdout);
}

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}
