import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createSocketServer } from 'node:net';
import { delimiter, join } from 'node:path';

/** The programs that the documented configurations are run with. Debian has nginx where a user's PATH does not look. */
export function findProxy(name: 'nginx' | 'caddy' | 'traefik'): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// What the configurations have that ask Gatehouse about each request.
const ASKS = /\bauth_request |forward_auth|forwardAuth/;

/** The one block of that language in docs/deployment.md that has `mark`, with each of the pairs replaced; every one must be there. */
export function documented(
  language: string,
  replacements: Record<string, string>,
  mark: RegExp = ASKS,
): string {
  const page = readFileSync(new URL('../../docs/deployment.md', import.meta.url), 'utf8');
  const all = [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
  const blocks = all.filter(([, text]) => mark.test(text));
  if (blocks.length !== 1) throw new Error(`docs/deployment.md has ${blocks.length} blocks of ${language}`);
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the documented ${language} has no ${from}`);
    return text.replaceAll(from, to);
  }, blocks[0][1]);
}

/** A port that nobody listens on now. */
export async function findPort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts the program and gives it once its port takes connections. */
export async function startProxy(
  command: string,
  args: readonly string[],
  port: number,
  env: Record<string, string> = {},
): Promise<{ end(): Promise<void> }> {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  await untilListening(child, port, () => `${command} does not listen:\n${output}`);
  return {
    async end() {
      const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await exited;
    },
  };
}

// Each refused connection takes a turn of the event loop and a round through the kernel; ten thousand are seconds.
const MOST_TRIES = 20_000;

async function untilListening(child: ChildProcess, port: number, describe: () => string): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES && child.exitCode === null; tries++) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
  }
  child.kill('SIGKILL');
  throw new Error(describe());
}

/** What a request looked like when it reached the site behind the proxy. */
export type Arrival = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

/** The site behind the proxy: a page with its own path, and a note of everything that arrived. */
export async function startSite(): Promise<{ port: number; arrivals: Arrival[]; server: Server }> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      arrivals.push({ method, url, headers, body });
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><title>The site</title><link rel="icon" href="data:,"><h1>The site</h1>');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, arrivals, server };
}
