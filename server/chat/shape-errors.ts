import type { Middleware } from 'koa';
import { Fault } from '../base/fault.ts';
import { asFault } from '../http/report-faults.ts';
import type { RequestState } from '../http/request-state.ts';
import { PROBLEMS, type ProblemCode } from '../wire/problem.ts';
import { errorMembers, formatOf } from './core/error-shape.ts';

/** The error of the client's form, as a stream or a body tells it. */
export const shownError = ({ code, message }: Fault) => ({
  status: PROBLEMS[code as ProblemCode].status,
  code,
  message,
});

/**
 * On the paths of the gateway every refusal, the gate's own included, also carries the error shape that the client of that
 * path knows, so that it says what is wrong instead of "unknown error".
 */
export const shapeErrors: Middleware<RequestState> = async function shapeErrors(ctx, next) {
  const format = formatOf(ctx.path);
  if (format === null) return next();
  try {
    await next();
  } catch (error) {
    const refusal = asFault(error);
    const shown = shownError(refusal);
    throw new Fault(refusal.code, refusal.message, {
      cause: refusal.cause,
      members: { ...refusal.members, ...errorMembers(format, shown) },
      headers: {
        ...refusal.headers,
        // Both kinds of client repeat a 409 by themselves; a spent proof stays spent.
        ...(shown.status === 409 && { 'x-should-retry': 'false' }),
      },
    });
  }
};
