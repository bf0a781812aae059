import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { encodeBase64url } from '../base/base64url.ts';
import type { Random } from '../base/ports.ts';
import { fault, problemBody } from '../wire/problem.ts';

const REASONS: Record<string, { status: string; detail: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    detail: 'head: expected at most 16 kB',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', detail: 'the request did not come in time' },
};
const OTHER = { status: '400 Bad Request', detail: 'expected HTTP/1.1 (RFC 9112)' };

/**
 * Answers what never becomes a request with a problem document, too, and lets an `Expect` that we do not know pass as
 * if it were not there (RFC 9110 §10.1.1 allows both).
 */
export function refuseRawRequests(server: Server, random: Random): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const { status, detail } = REASONS[error.code ?? ''] ?? OTHER;
    const requestId = encodeBase64url(random.bytes(12));
    const body = JSON.stringify({
      ...problemBody(fault('malformed-request', detail), requestId),
      status: Number.parseInt(status, 10),
    });
    const head = [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
