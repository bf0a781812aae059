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
> = {
  id: string;
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  tag: string;
  summary: string;
  description?: string;
  query?: Query;
  body?: Body;
  /** Bytes; a longer body is refused with 413. */
  bodyLimitBytes?: number;
  /** Without a schema the answer has no body. */
  answer: { status: number; description: string; schema?: Answer };
  problems: readonly ProblemCode[];
  /** Whether an API key in `X-API-Key` counts. */
  takesKey?: boolean;
  /** Whether a page of any origin may call it, without credentials. */
  isOpenToAnyOrigin: boolean;
};
