import type { Server } from 'node:http';

// What a service manager usually grants before it kills (systemd 90 s, Docker 10 s); our choice, below both.
const GRACE_MS = 8_000;
const SWEEP_EVERY_MS = 50;

/** Takes no new connection, lets requests under way finish, and cuts those that have not after the grace. */
export async function stopGracefully(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A kept-alive connection becomes idle only once its request has been answered, so one sweep is not enough.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_EVERY_MS);
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
