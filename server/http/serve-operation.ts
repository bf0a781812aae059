import type { Router } from '@koa/router';
import type * as z from 'zod';
import type { Operation } from '../wire/operation.ts';
import { fault } from '../wire/problem.ts';
import { readJson } from './body.ts';
import type { Context, RequestState } from './request-state.ts';

// Enough for every body without a limit of its own; our choice.
const DEFAULT_LIMIT_BYTES = 16_384;

/** Puts an operation on the router: reads query and body through its schemas, answers with what `handle` gives. */
export function serveOperation<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType>(
  router: Router<RequestState>,
  operation: Operation<Query, Body, Answer>,
  handle: (
    input: { query: z.output<Query>; body: z.output<Body> },
    ctx: Context,
  ) => z.input<Answer> | Promise<z.input<Answer>>,
): void {
  const { body: bodySchema, bodyLimitBytes = DEFAULT_LIMIT_BYTES } = operation;
  router[operation.method](operation.path.replace(/\{(\w+)\}/g, ':$1'), async function operate(ctx) {
    const query = operation.query && readInput(operation.query, ctx.query, 'query');
    const body = bodySchema && readInput(bodySchema, await readJson(ctx, bodyLimitBytes), 'body');
    const answer = await handle({ query, body } as { query: z.output<Query>; body: z.output<Body> }, ctx);
    ctx.status = operation.answer.status;
    ctx.body = answer;
  });
}

/** What `schema` makes of `value`. @throws Fault `malformed-request`, with the place below `where` */
export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const sentences = result.error.issues.map(
    (issue) => `${[where, ...issue.path].join('.')}: ${issue.message}`,
  );
  throw fault('malformed-request', sentences.join('; '));
}
