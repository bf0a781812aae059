import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log, Timer } from '../../base/ports.ts';
import type { IpData } from '../core/ports.ts';

// Files of this size are not copied in an instant; a change is taken up once the folder looks the same twice.
const LOOK_EVERY_MS = 10_000;

export type LiveIpDataDeps = {
  /** The folder, or null for the embedded snapshot alone. */
  folder: string | null;
  open(folder: string | null): Promise<IpData>;
  timer: Timer;
  log: Log;
};

export type LiveIpData = {
  current(): IpData;
  /** Opens the folder anew. @throws as `open`; then the data stays as it was */
  reload(): Promise<void>;
  /** Looks for changes until the function that it gives is called. */
  watch(): () => void;
};

/**
 * The data of a folder, and of what it becomes while the server runs. Answers come from the old data until the new is
 * open and proven.
 * @throws as `open`, where the folder cannot be used at the start
 */
export async function openLiveIpData({ folder, open, timer, log }: LiveIpDataDeps): Promise<LiveIpData> {
  let data = await open(folder);
  let opened = await describeFolder(folder);
  let seen = opened;

  async function reload(): Promise<void> {
    const described = await describeFolder(folder);
    // What is refused is not tried again before it changes.
    opened = described;
    data = await open(folder);
    log.info(
      { sources: data.sources.map(({ name, buildDate }) => `${name} ${buildDate ?? ''}`.trim()) },
      'IP data loaded',
    );
  }

  async function look(): Promise<void> {
    const now = await describeFolder(folder);
    const isSettled = now === seen;
    seen = now;
    if (!isSettled || now === opened) return;
    await reload().catch((err) => log.error({ err }, 'new IP data refused; the old stays'));
  }

  return {
    current: () => data,
    reload,
    watch() {
      if (!folder) return () => {};
      let stop = () => {};
      let isStopped = false;
      const again = () => {
        if (!isStopped) stop = timer.after(LOOK_EVERY_MS, () => void look().finally(again));
      };
      again();
      return () => {
        isStopped = true;
        stop();
      };
    },
  };
}

/** Names, sizes and times of the files: another text where anything changed. An unreadable folder is told as such. */
async function describeFolder(folder: string | null): Promise<string> {
  if (!folder) return '';
  try {
    const names = (await readdir(folder)).filter((name) => /\.(mmdb|txt)$/i.test(name)).toSorted();
    const files = await Promise.all(
      names.map(async (name) => {
        const { size, mtimeMs, ino } = await stat(join(folder, name));
        return `${name} ${size} ${mtimeMs} ${ino}`;
      }),
    );
    return files.join('\n');
  } catch (error) {
    return `unreadable: ${(error as NodeJS.ErrnoException).code}`;
  }
}
