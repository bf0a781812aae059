import type { Context } from './request-state.ts';

/** Says that the answer is server-sent events (HTML, §9.2) and is not to be gathered first, as nginx would. */
export function setEventStream(ctx: Context): void {
  ctx.type = 'text/event-stream; charset=utf-8';
  ctx.set('X-Accel-Buffering', 'no');
}
