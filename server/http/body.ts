import getRawBody from 'raw-body';
import { Fault } from '../base/fault.ts';
import { fault } from '../wire/problem.ts';
import { isJsonWithin } from './json-bounds.ts';
import type { Context } from './request-state.ts';

// Small bodies cannot hurt. In large ones pages are few and their texts long: 1,000 pages with 64 labels each are within.
const SMALL_BYTES = 65_536;
const MOST_DEPTH = 64;
const MOST_VALUES = 250_000;

// What all large bodies may take together while they come in. Our choice: eight of the largest.
const MOST_BYTES_COMING = 256 * 1_048_576;
let bytesComing = 0;

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
  expectType(ctx, ['application/json']);
  const bytes = await readBytes(ctx, limitBytes);
  if (bytes.length > SMALL_BYTES && !isJsonWithin(bytes, MOST_DEPTH, MOST_VALUES)) {
    throw fault(
      'malformed-request',
      `body: expected at most ${MOST_VALUES} values, at most ${MOST_DEPTH} deep`,
    );
  }
  try {
    return { value: JSON.parse(strictUtf8.decode(bytes)), sizeBytes: bytes.length };
  } catch (cause) {
    throw fault('malformed-request', 'body: expected JSON in UTF-8', { cause });
  }
}

/**
 * The request's body as a text of one of the media types, at most `limitBytes` long, in the charset that its type names or
 * UTF-8.
 * @throws Fault as `readJson`
 */
export async function readText(ctx: Context, limitBytes: number, types: readonly string[]): Promise<string> {
  expectType(ctx, types);
  const charset = ctx.request.charset || 'utf-8';
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(charset, { fatal: true });
  } catch (cause) {
    throw fault('unsupported-media-type', 'Content-Type: expected a charset of the Encoding standard', {
      cause,
    });
  }
  const bytes = await readBytes(ctx, limitBytes);
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw fault('malformed-request', `body: expected text in ${decoder.encoding}`, { cause });
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

function expectType(ctx: Context, types: readonly string[]): void {
  if (!types.includes(mediaType(ctx))) {
    throw fault(
      'unsupported-media-type',
      `Content-Type: expected ${types.join(' or ')}, got ${ctx.request.type || 'none'}`,
    );
  }
  const encoding = ctx.get('Content-Encoding');
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw fault('unsupported-media-type', `Content-Encoding: expected none, got ${encoding}`);
  }
}

async function readBytes(ctx: Context, limitBytes: number): Promise<Buffer> {
  // One that does not tell its length may be as long as it may.
  const mayTake = Math.min(ctx.request.length ?? limitBytes, limitBytes);
  const room = mayTake > SMALL_BYTES ? takeRoom(ctx.req) : null;
  try {
    const body = getRawBody(ctx.req, { limit: limitBytes, length: ctx.request.length ?? null });
    return await (room ? Promise.race([body, room.isFull]) : body);
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    if ((cause as getRawBody.RawBodyError).type === 'entity.too.large') {
      throw tooLarge(limitBytes, cause);
    }
    throw fault('malformed-request', 'body: it ended before its announced length', { cause });
  } finally {
    room?.giveBack();
  }
}

/**
 * Counts what has come of a body, and rejects once all of them together are too much. What is only announced takes no
 * memory: counted, eight connections that announce much and send nothing would keep everybody else out.
 */
function takeRoom(request: Context['req']): { isFull: Promise<never>; giveBack(): void } {
  const { promise: isFull, reject } = Promise.withResolvers<never>();
  let came = 0;
  const count = ({ length }: Buffer) => {
    came += length;
    bytesComing += length;
    if (bytesComing > MOST_BYTES_COMING) {
      reject(fault('overloaded', 'too many large bodies are coming in', { headers: { 'Retry-After': '5' } }));
    }
  };
  // Of the bytes at hand none is missed: they flow from the next tick on, when the reader listens as well.
  request.on('data', count);
  return {
    isFull,
    giveBack() {
      request.off('data', count);
      bytesComing -= came;
    },
  };
}

const tooLarge = (limitBytes: number, cause?: unknown) =>
  fault('body-too-large', `body: expected at most ${limitBytes} bytes`, { cause });
