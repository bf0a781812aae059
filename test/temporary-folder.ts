import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder, and what removes it with all that is in it. */
export function makeFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs `use` on a new folder, and removes it whatever happens. */
export async function withTemporaryFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const { folder, remove } = makeFolder();
  try {
    await use(folder);
  } finally {
    remove();
  }
}
