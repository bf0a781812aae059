import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from '../base/ports.ts';
import { refuseRawRequests } from './refuse-raw-requests.ts';

// Longer than the idle time of the usual proxies (60 s), so that it is they who close a connection.
const KEEP_ALIVE_MS = 75_000;

/** An HTTP server that takes connections, and the URL to open. @throws Error where the address or port cannot be had */
export async function listen(
  handle: RequestListener,
  { host, port, random }: { host: string; port: number; random: Random },
): Promise<{ server: Server; url: string }> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false }, handle);
  refuseRawRequests(server, random);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { server, url: `http://${hostText(host)}:${(server.address() as AddressInfo).port}/` };
}

/** The host of a URL to open: brackets around IPv6, and a name for the loopback. */
function hostText(host: string): string {
  if (host === '127.0.0.1' || host === '::1') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
