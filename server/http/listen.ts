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
    server.once('error', (error) => reject(describeRefusal(error, host, port)));
    server.listen(port, host, resolve);
  });
  return { server, url: `http://${hostText(host)}:${(server.address() as AddressInfo).port}/` };
}

/** The host of a URL to open: brackets around IPv6, and a name for the loopback. */
function hostText(host: string): string {
  if (host === '127.0.0.1' || host === '::1') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** What the operator did, by what the system says of it. */
function describeRefusal(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const at = `HOST ${host}, PORT ${port}`;
  const reason = {
    EADDRINUSE: `PORT ${port}: another process listens there on ${host}: end it, or set PORT to a free one`,
    EACCES: `PORT ${port}: this user may not listen there: set PORT to 1024 or above, and let a proxy take ${port}`,
    EADDRNOTAVAIL: `HOST ${host}: expected an address of this machine; 0.0.0.0 or :: takes all of them`,
    ENOTFOUND: `HOST ${host}: expected an address of this machine, or a name that leads to one`,
  }[error.code ?? ''];
  return new Error(reason ?? `${at}: ${error.message}`, { cause: error });
}
