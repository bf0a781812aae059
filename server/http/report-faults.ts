import type { Middleware } from 'koa';
import { Fault } from '../base/fault.ts';
import type { Log } from '../base/ports.ts';
import { fault, problemBody } from '../wire/problem.ts';
import type { RequestState } from './request-state.ts';

/** What is told of an error: a Fault as it is, anything else without its cause. */
export const asFault = (error: unknown): Fault =>
  error instanceof Fault
    ? error
    : fault('internal', 'the server failed; the operator finds the cause under this request id', {
        cause: error,
      });

/** The single exit for errors: a Fault becomes its problem body, anything else a 500 whose cause only the log has. */
export function createReportFaults(log: Log): Middleware<RequestState> {
  return async function reportFaults(ctx, next) {
    try {
      await next();
    } catch (error) {
      const refusal = asFault(error);
      const body = problemBody(refusal, ctx.state.requestId);
      if (body.status >= 500) {
        log.error({ request_id: ctx.state.requestId, code: body.code, err: refusal.cause }, body.detail);
      }
      ctx.status = body.status;
      ctx.set(refusal.headers);
      // A body that was refused unread would otherwise be taken for the next request.
      if (!ctx.req.complete) ctx.set('Connection', 'close');
      ctx.body = JSON.stringify(body);
      ctx.type = 'application/problem+json';
      if (body.status !== 404) ctx.set('Cache-Control', 'no-store');
    }
  };
}
