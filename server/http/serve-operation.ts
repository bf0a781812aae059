import type { Router } from '@koa/router';
import type * as z from 'zod';
import type { Operation } from '../wire/operation.ts';
import { fault, PROBLEMS, type ProblemCode } from '../wire/problem.ts';
import { readJson, readText } from './body.ts';
import { readQuery } from './query.ts';
import type { Context, RequestState } from './request-state.ts';

// Enough for every body without a limit of its own; our choice.
const DEFAULT_LIMIT_BYTES = 16_384;

// A body of a thousand wrong pages has thousands of faults; nobody reads more of them.
const MOST_SENTENCES = 8;

type Read<Schema extends z.ZodType> = z.output<Schema>;

/**
 * Puts an operation on the router: reads path, query and body through its schemas, answers with what `handle` gives. The
 * status is that of `answer`, unless `handle` sets another.
 * @param admit runs before the body is read, and so refuses before a stranger's megabytes come in; `handle` gets what it
 * gives
 */
export function serveOperation<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  Params extends z.ZodType,
  Admitted = undefined,
>(
  router: Router<RequestState>,
  operation: Operation<Query, Body, Answer, Params>,
  handle: (
    input: { params: Read<Params>; query: Read<Query>; body: Read<Body>; admitted: Admitted },
    ctx: Context,
  ) => z.input<Answer> | Promise<z.input<Answer>>,
  admit?: (input: { params: Read<Params>; query: Read<Query> }, ctx: Context) => Admitted | Promise<Admitted>,
): void {
  router[operation.method](operation.path.replace(/\{(\w+)\}/g, ':$1'), async function operate(ctx) {
    const params = (operation.params && readInput(operation.params, ctx.params, 'path')) as Read<Params>;
    const query = (operation.query &&
      readInput(operation.query, readQuery(ctx.querystring), 'query')) as Read<Query>;
    // Awaited only where there is something to wait for: each wait is a turn of its own.
    const admitted = (admit && (await admit({ params, query }, ctx))) as Admitted;
    const body = (operation.body &&
      readInput(operation.body, await readBody(ctx, operation), 'body')) as Read<Body>;
    ctx.status = operation.answer.status;
    ctx.body = await handle({ params, query, body, admitted }, ctx);
  });
}

async function readBody(
  ctx: Context,
  { bodyType, bodyLimitBytes = DEFAULT_LIMIT_BYTES, mostItems, isBodyOptional }: Operation,
): Promise<unknown> {
  if (isBodyOptional && !ctx.get('Transfer-Encoding') && Number(ctx.get('Content-Length') || 0) === 0) return;
  if (bodyType === 'text/html') return readText(ctx, bodyLimitBytes, ['text/html', 'application/xhtml+xml']);
  const body = await readJson(ctx, bodyLimitBytes);
  if (mostItems !== undefined && Array.isArray(body) && body.length > mostItems) {
    throw fault('malformed-request', `body: expected at most ${mostItems} items, got ${body.length}`);
  }
  return body;
}

/** What `schema` makes of `value`. @throws Fault `malformed-request`, with the place below `where` */
export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: string,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(likeliest);
  const sentences = issues
    .slice(0, MOST_SENTENCES)
    .map((issue) => `${[where, ...issue.path].join('.')}: ${issue.message}`);
  if (issues.length > MOST_SENTENCES) sentences.push(`and ${issues.length - MOST_SENTENCES} more`);
  throw fault(codeOf(issues), sentences.join('; '));
}

type Issue = z.core.$ZodIssue;

/** Of a union the faults of that form which came nearest: where one was of the right type, what is wrong lies deeper, or is none of type. */
function likeliest(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const depth = (issues: readonly Issue[]) =>
    Math.max(0, ...issues.slice(0, MOST_SENTENCES).map(({ path }) => path.length));
  const isOfType = (issues: readonly Issue[]) => (issues.some(({ code }) => code === 'invalid_type') ? 0 : 1);
  const [nearest] = [...issue.errors].sort((a, b) => depth(b) - depth(a) || isOfType(b) - isOfType(a));
  return (nearest ?? []).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** A schema's own check may name another code than that of a wrong form. */
function codeOf(issues: readonly Issue[]): ProblemCode {
  const [first] = issues;
  const named = first?.code === 'custom' ? first.params?.problem : undefined;
  return named !== undefined && Object.hasOwn(PROBLEMS, named) ? named : 'malformed-request';
}
