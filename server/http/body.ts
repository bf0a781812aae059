import getRawBody from 'raw-body';
import { fault } from '../wire/problem.ts';
import type { Context } from './request-state.ts';

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

const kept = new WeakMap<Context['req'], { value: unknown; sizeBytes: number }>();

/**
 * The request's JSON body, at most `limitBytes` long. Read once: who asks again gets the same.
 * @throws Fault `unsupported-media-type`, `body-too-large`, `malformed-request`
 */
export async function readJson(ctx: Context, limitBytes: number): Promise<unknown> {
  const { value, sizeBytes } = kept.get(ctx.req) ?? (await readJsonBody(ctx, limitBytes));
  if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
  kept.set(ctx.req, { value, sizeBytes });
  return value;
}

async function readJsonBody(
  ctx: Context,
  limitBytes: number,
): Promise<{ value: unknown; sizeBytes: number }> {
  if (mediaType(ctx) !== 'application/json') {
    throw fault(
      'unsupported-media-type',
      `Content-Type: expected application/json, got ${ctx.request.type || 'none'}`,
    );
  }
  const encoding = ctx.get('Content-Encoding');
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw fault('unsupported-media-type', `Content-Encoding: expected none, got ${encoding}`);
  }
  const bytes = await readBytes(ctx, limitBytes);
  try {
    return { value: JSON.parse(strictUtf8.decode(bytes)), sizeBytes: bytes.length };
  } catch (cause) {
    throw fault('malformed-request', 'body: expected JSON in UTF-8', { cause });
  }
}

/**
 * The members of a body that is a form (`application/x-www-form-urlencoded`) or JSON.
 * @throws Fault as `readJson`; `malformed-request` also where a form gives a member twice
 */
export async function readFormOrJson(ctx: Context, limitBytes: number): Promise<unknown> {
  if (mediaType(ctx) !== 'application/x-www-form-urlencoded') return readJson(ctx, limitBytes);
  const members = [...new URLSearchParams((await readBytes(ctx, limitBytes)).toString('utf8'))];
  const names = new Set(members.map(([name]) => name));
  if (names.size < members.length) throw fault('malformed-request', 'body: expected each member once');
  return Object.fromEntries(members);
}

// Media types have no case (RFC 9110 §8.3.1).
const mediaType = (ctx: Context) => ctx.request.type.toLowerCase();

async function readBytes(ctx: Context, limitBytes: number): Promise<Buffer> {
  try {
    return await getRawBody(ctx.req, { limit: limitBytes, length: ctx.request.length ?? null });
  } catch (cause) {
    if ((cause as getRawBody.RawBodyError).type === 'entity.too.large') {
      throw tooLarge(limitBytes, cause);
    }
    throw fault('malformed-request', 'body: it ended before its announced length', { cause });
  }
}

const tooLarge = (limitBytes: number, cause?: unknown) =>
  fault('body-too-large', `body: expected at most ${limitBytes} bytes`, { cause });
