import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A server in a process of its own, on a free port of the loopback. */
export type ServerProcess = { port: number; pid: number; stop(): Promise<void> };

const START_MS = 20_000;
const STOP_MS = 10_000;

/**
 * Starts `script` on this Node and waits for the line on stderr that gives its URL.
 * Its stdout goes to the null device: log lines are made and written, and cost nobody a disk.
 * @throws Error with what it wrote, where it ends or gives no URL
 */
export async function startServer(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  // Should this process fail in between, its servers do not stay behind.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const port = await portOf(child, script);
  return {
    port,
    pid: child.pid as number,
    async stop() {
      const ended = child.exitCode === null && once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(kill, STOP_MS);
      await ended;
      clearTimeout(late);
      process.removeListener('exit', kill);
    },
  };
}

function portOf(child: ChildProcess, script: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let written = '';
    const fail = (reason: string) => {
      child.kill('SIGKILL');
      reject(new Error(`${script} ${reason}; it wrote: ${written.trim() || 'nothing'}`));
    };
    const late = setTimeout(() => fail(`gave no URL within ${START_MS} ms`), START_MS);
    child.once('exit', (code) => {
      clearTimeout(late);
      fail(`ended with ${code}`);
    });
    child.stderr?.on('data', (bytes) => {
      written += bytes;
      const url = /http:\/\/[^\s/]+:(\d+)\//.exec(written);
      if (!url) return;
      clearTimeout(late);
      resolve(Number(url[1]));
    });
  });
}
