import type * as z from 'zod';
import type { ProblemCode } from './problem.ts';

/**
 * One endpoint, declared once: its schemas validate the request, type the handler and are printed in the OpenAPI document.
 * Paths are written with `{name}` parameters (RFC 6570), as OpenAPI does.
 */
export type Operation<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
> = {
  id: string;
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** The parameters of the path. */
  params?: Params;
  query?: Query;
  body?: Body;
  /** What the body is: JSON unless said otherwise. HTML comes to its schema as a text. */
  bodyType?: 'application/json' | 'text/html';
  /** Whether a request without a body is one as well; then the schema gets `undefined`. */
  isBodyOptional?: boolean;
  /** Bytes; a longer body is refused with 413. */
  bodyLimitBytes?: number;
  /** Where the body may be an array: how many items it may have, told before the items are looked at. */
  mostItems?: number;
  answer: AnswerForm<Answer>;
  /** Other answers that are no refusals; the handler sets their status. */
  otherAnswers?: readonly AnswerForm<z.ZodType>[];
  problems: readonly ProblemCode[];
  /** Whether an API key in `X-API-Key` counts. */
  takesKey?: boolean;
  /** Whether a page of any origin may call it, without credentials. */
  isOpenToAnyOrigin: boolean;
};

/** One form of answer. Without a schema it has no body. */
type AnswerForm<Answer extends z.ZodType> = { status: number; description: string; schema?: Answer };
