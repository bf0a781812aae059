import { connect, type Socket } from 'node:net';
import type { Sample } from './rounds.ts';
import { expectRight, WrongAnswer } from './wrong-answer.ts';

/** A request that is sent over and over, or the next of several. The bytes are the whole request (RFC 9112). */
export type Load = {
  name: string;
  port: number;
  request: Buffer | (() => Buffer);
  status: number;
  /** Whether the body of an answer is right; asked of every answer, once the clock stands. */
  isRight(body: string): boolean;
};

/** What a client of a real site keeps open at once; our choice. */
export const IN_FLIGHT = 32;

type Asked = Pick<Load, 'name' | 'port' | 'request'>;

const SILENCE_MS = 5_000;

/**
 * The rate of answers over `sampleMs`, with 32 requests in flight: one on each of 32 kept connections, the next one sent
 * when the answer is in (no pipelining).
 *
 * On raw sockets, since a full HTTP client takes more of a core for a request than the server that is measured.
 * @throws WrongAnswer also where a connection ends or falls silent
 */
export async function sampleLoad(load: Load, sampleMs: number): Promise<Sample> {
  const answers: string[] = [];
  const sockets = await Promise.all(Array.from({ length: IN_FLIGHT }, () => openSocket(load.port)));
  const startedMs = performance.now();
  const endMs = startedMs + sampleMs;
  try {
    await Promise.all(sockets.map((socket) => keepAsking(socket, load, endMs, answers)));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const spentMs = performance.now() - startedMs;
  for (const answer of answers) checkAnswer(load, answer);
  return { perSecond: (answers.length / spentMs) * 1000, checked: answers.length };
}

/** The body of one answer to `request`. */
export async function answerOnce(port: number, request: Buffer): Promise<string> {
  const socket = await openSocket(port);
  const answers: string[] = [];
  try {
    await keepAsking(socket, { name: 'a first request', port, request }, 0, answers);
  } finally {
    socket.destroy();
  }
  return bodyOf(answers[0]);
}

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.setTimeout(SILENCE_MS);
    socket.once('error', reject);
    socket.once('connect', () => resolve(socket));
  });
}

function keepAsking(socket: Socket, load: Asked, endMs: number, answers: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (detail: string) => reject(new WrongAnswer(load.name, detail));
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      const sizeBytes = answerSize(received);
      if (sizeBytes === null || received.length < sizeBytes) return;
      if (received.length > sizeBytes) return fail('it is longer than its Content-Length');
      answers.push(received);
      received = '';
      if (performance.now() < endMs) socket.write(nextOf(load));
      else resolve();
    });
    socket.on('timeout', () => fail(`nothing came for ${SILENCE_MS} ms`));
    socket.on('error', (error) => fail(error.message));
    socket.on('close', () => fail(`the connection ended after ${JSON.stringify(received.slice(0, 200))}`));
    socket.write(nextOf(load));
  });
}

const nextOf = ({ request }: Asked): Buffer => (typeof request === 'function' ? request() : request);

/** Bytes of head and body together, or null where the head is not complete yet; a head without a length counts as all. */
function answerSize(received: string): number | null {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received);
  return headEnd + 4 + Number(length?.[1] ?? 0);
}

function checkAnswer({ name, status, isRight }: Load, answer: string): void {
  const isExpected = () => answer.startsWith(`HTTP/1.1 ${status} `) && isRight(bodyOf(answer));
  expectRight(name, isExpected, () => answer.slice(0, 600));
}

const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4);
