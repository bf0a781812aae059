import type { Passport, SessionState } from '../solver/obtain-passport.ts';
import type { Solution, SolveProgress } from '../solver/protocol.ts';

/**
 * What a page and the frame of another origin say to each other. No logic lives here but the look at an envelope.
 *
 * Each message carries the nonce that the page made for this one frame, and is taken only from the window and the origin
 * that are expected.
 */

/** From the page to the frame: get a passport for a route, or solve the challenge that the page holds. */
export type ToFrame = { type: 'passport'; route?: string } | { type: 'solve'; challenge: string };

/** From the frame to the page. `ready` is the first, and comes once. */
export type FromFrame =
  | { type: 'ready' }
  | { type: 'state'; state: SessionState; waitSecs: number | null }
  | { type: 'progress'; progress: SolveProgress }
  | { type: 'passport'; passport: Passport }
  | { type: 'solution'; solution: Solution }
  | { type: 'error'; code: string; message: string; status: number | null };

/** As a message travels. */
export type Enveloped<Message> = Message & { gatehouse: string };

/** The parts of a MessageEvent that are looked at. */
export type Arrived = { origin: string; source: unknown; data: unknown };

/** Who a message must come from. */
export type Sender = { origin: string; source: unknown; nonce: string };

/** The message in an event, or null where it is not from that sender, or none of ours. */
export function readMessage<Message extends { type: string }>(
  { origin, source, data }: Arrived,
  expected: Sender,
): Message | null {
  if (origin !== expected.origin || source !== expected.source || source === null) return null;
  if (typeof data !== 'object' || data === null) return null;
  const message = data as Enveloped<Message>;
  return message.gatehouse === expected.nonce && typeof message.type === 'string' ? message : null;
}
