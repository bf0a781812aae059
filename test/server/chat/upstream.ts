import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an upstream was asked. */
export type Visit = { path: string; headers: IncomingMessage['headers']; body: Record<string, unknown> };
export type Respond = (response: ServerResponse, visit: Visit) => unknown;

export type Upstream = {
  url: string;
  visits: Visit[];
  last(): Visit;
  /** How the next requests are answered. */
  respond: Respond;
  close(): void;
};

/** A server on the loopback that speaks a provider's wire format, as `respond` has it. */
export async function startUpstream(): Promise<Upstream> {
  const visits: Visit[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const visit = { path: request.url ?? '', headers: request.headers, body: text ? JSON.parse(text) : {} };
    visits.push(visit);
    upstream.respond(response, visit);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstream: Upstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits,
    last: () => visits.at(-1) as Visit,
    respond: (response) => response.writeHead(500).end(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return upstream;
}

export const json =
  (body: object, status = 200, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A stream of events, then its end. A text goes out as it is, anything else as the data of an event. */
export const events =
  (...list: (object | string)[]): Respond =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const one of list) response.write(eventText(one));
    response.end();
  };

/** As both APIs write theirs: Anthropic names an event by its type, OpenAI has data alone. */
export function eventText(event: object | string): string {
  if (typeof event === 'string') return event;
  const name = 'type' in event ? `event: ${event.type}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}
