import type { Server } from 'node:http';

// What a service manager usually grants before it kills (systemd 90 s, Docker 10 s); our choice, below both.
const GRACE_MS = 8_000;

/** Takes no new connection, lets requests under way finish, and cuts those that have not after the grace. */
export async function stopGracefully(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(cut);
}
