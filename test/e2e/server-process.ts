import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../temporary-folder.ts';

/** The command line. */
export const entry = fileURLToPath(new URL('../../server/gatehouse.mjs', import.meta.url));

export type ServerProcess = {
  /** Origin, without a slash at the end. */
  url: string;
  port: number;
  process: ChildProcess;
  /** All that it wrote so far, both streams. */
  output(): string;
  /** Sends the signal and gives the exit status, null where the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
};

/**
 * The real server, as its users start it, on a free port. `dataDir` is made and removed where none is given.
 * @param limits shell commands that run before it in its own process, such as `ulimit`
 */
export async function startServer(
  env: Record<string, string> = {},
  dataDir?: string,
  limits = ':',
): Promise<ServerProcess> {
  const own = dataDir === undefined ? makeFolder() : null;
  const child = spawn(
    '/bin/sh',
    ['-c', `${limits}; exec "$0" "$@"`, process.execPath, entry, 'serve', '--demo'],
    {
      env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir ?? own?.folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  const port = await new Promise<number>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const listening = /Gatehouse \S+ at http:\/\/\S+:(\d+)\//.exec(output);
      if (listening) resolve(Number(listening[1]));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output}`)));
  });
  return {
    url: `http://localhost:${port}`,
    port,
    process: child,
    output: () => output,
    async end(signal) {
      const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
      child.kill(signal);
      await exited;
      own?.remove();
      return child.exitCode;
    },
  };
}
