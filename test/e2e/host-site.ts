import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export type HostPage = { body: string; csp?: string; headers?: Record<string, string>; lang?: string };

export type HostSite = {
  /** Its origin. */
  url: string;
  /** Puts a page up and gives its address. */
  put(page: HostPage): string;
  /** Every form that was sent to it, oldest first. */
  sent: URLSearchParams[];
  close(): void;
};

/**
 * A site of somebody, on a port of its own: pages, and a form's target at `/sent`.
 * @param gatePort port of a gate that stands behind it, below `/pow/`
 * @param change changes an answer of that gate
 */
export async function startHostSite(
  gatePort?: number,
  change: (headers: IncomingHttpHeaders) => void = () => {},
): Promise<HostSite> {
  const pages = new Map<string, HostPage>();
  const sent: URLSearchParams[] = [];
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (gatePort !== undefined && url.startsWith('/pow/')) {
      const passed = httpRequest(
        { port: gatePort, host: '127.0.0.1', path: url, method, headers },
        (answer) => {
          change(answer.headers);
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        },
      );
      incoming.pipe(passed);
      return;
    }
    if (url === '/favicon.ico') {
      outgoing.writeHead(204).end();
      return;
    }
    let text = '';
    incoming.on('data', (chunk) => {
      text += chunk;
    });
    incoming.on('end', () => {
      if (method === 'POST') sent.push(new URLSearchParams(text));
      const page = method === 'POST' ? { body: '<p id="thanks">Thanks</p>' } : pages.get(url);
      outgoing.statusCode = page ? 200 : 404;
      outgoing.setHeader('Content-Type', 'text/html; charset=utf-8');
      for (const [name, value] of Object.entries(page?.headers ?? {})) outgoing.setHeader(name, value);
      if (page?.csp) outgoing.setHeader('Content-Security-Policy', page.csp);
      outgoing.end(
        `<!doctype html><html lang="${page?.lang ?? 'en'}"><head><title>A site</title>` +
          `</head><body><main><h1>A site</h1>${page?.body}</main></body></html>`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    sent,
    put(page) {
      const path = `/page-${pages.size}`;
      pages.set(path, page);
      return url + path;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
