import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/ports.ts';

// As much as a commit of a busy second needs; our choice.
const TEST_BYTES = 262_144;

// A full disk is asked this often, however many requests wait for it.
const EVERY_MS = 2_000;

/** Tells whether the disk under `folder` takes something, by writing a test file and removing it. */
export function createRoomCheck(folder: string, clock: Clock): { isThere(): Promise<boolean> } {
  let askedMs = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean> = Promise.resolve(false);
  return {
    isThere() {
      const nowMs = clock.nowMs();
      if (Math.abs(nowMs - askedMs) >= EVERY_MS) {
        askedMs = nowMs;
        answer = takesFile(join(folder, `room-check.${process.pid}`));
      }
      return answer;
    },
  };
}

async function takesFile(path: string): Promise<boolean> {
  try {
    await writeFile(path, Buffer.alloc(TEST_BYTES), { flush: true });
    return true;
  } catch {
    return false;
  } finally {
    await rm(path, { force: true });
  }
}
