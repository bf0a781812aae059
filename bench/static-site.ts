import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { WebPage } from './crawl-pages.ts';

const START_MS = 10_000;

/** Pages as files behind nginx on the loopback, with a sitemap. @throws Error where there is no nginx */
export async function openStaticSite(
  pages: readonly WebPage[],
): Promise<{ origin: string; close(): Promise<void> }> {
  const nginx = ['/usr/sbin', '/usr/local/sbin', ...(process.env.PATH ?? '').split(':')]
    .map((folder) => join(folder, 'nginx'))
    .find(isExecutable);
  if (!nginx) throw new Error('nginx is not there: apt-get install nginx');
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  // Its workers are another user where it is started by root.
  chmodSync(folder, 0o755);
  const port = await findPort();
  const origin = `http://127.0.0.1:${port}`;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const { path, html } of pages) write(`site${path}`, html);
  const urls = pages.map(({ path }) => `<url><loc>${origin}${path}</loc></url>`);
  write('site/sitemap.xml', `<urlset>${urls.join('')}</urlset>`);
  write('site/robots.txt', `User-agent: *\nDisallow: /private/\nSitemap: ${origin}/sitemap.xml\n`);
  write('nginx.conf', configure(folder, port));
  const child = spawn(nginx, ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'], {
    stdio: 'ignore',
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  await untilListening(port);
  return {
    origin,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      process.removeListener('exit', kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const configure = (folder: string, port: number) => `daemon off;
pid ${folder}/nginx.pid;
worker_processes 1;
events { worker_connections 512; }
http {
  types { text/html html; text/plain txt; application/xml xml; }
  access_log off;
  sendfile on;
  keepalive_requests 1000000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/temp;`).join(' ')}
  server {
    listen 127.0.0.1:${port};
    root ${folder}/site;
  }
}
`;

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function untilListening(port: number): Promise<void> {
  const lateMs = performance.now() + START_MS;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isThere) return;
    if (performance.now() > lateMs) throw new Error(`nginx does not listen at ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
