import type { Context, Middleware } from 'koa';
import { fault } from '../wire/problem.ts';

/** Puts the normal path in place of the one that came, before anyone looks at it. */
export const normalisePath: Middleware = function normalisePath(ctx, next) {
  // RFC 9112 §3.2: several are refused, and none in HTTP/1.1.
  const hosts = countHosts(ctx.req.rawHeaders);
  if (hosts > 1 || (hosts === 0 && ctx.req.httpVersion === '1.1')) {
    throw fault('malformed-request', `Host: expected one, got ${hosts || 'none'}`);
  }
  const came = pathOf(ctx);
  const path = came === null ? null : normalPath(came);
  if (path === null) {
    throw fault(
      'malformed-request',
      'path: expected one without broken escapes, escaped slashes or backslashes',
    );
  }
  if (path !== came) ctx.path = path;
  ctx.res.setHeader('X-Content-Type-Options', 'nosniff');
  return next();
};

/** Node hands on the first of several; who stands in front may have gone by the last. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i].length === 4 && rawHeaders[i].toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

/** The path of the target; null where it has none. A target of absolute form (RFC 9112 §3.2.2) is made relative. */
function pathOf(ctx: Context): string | null {
  if (!ctx.url.startsWith('/')) {
    // Koa's own parser would throw for what is no URL, and print it.
    if (!URL.canParse(ctx.url)) return null;
    const { pathname, search } = new URL(ctx.url);
    ctx.url = pathname + search;
  }
  return ctx.path;
}

// Nearly every path is written as it should be: names of characters that stand for themselves, none of them `.` or `..`.
const NORMAL = /^(?=\/)(?:\/(?!\.\.?(?:\/|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+)*\/?$/;

/**
 * The one path that gate and router both match, or null where the path is refused.
 *
 * Escapes of characters that may stand in a path as they are get decoded (RFC 3986 §3.3 `pchar`; §6.2.2.2 asks it of the
 * unreserved ones), runs of slashes become one, `.` and `..` are
 * resolved (§5.2.4). An escaped or raw backslash, an escaped slash, a control character or a broken escape has no
 * reading that all software shares, so it is refused: what one layer takes for a name, another takes for a way around.
 */
export function normalPath(path: string): string | null {
  if (NORMAL.test(path)) return path;
  if (!path.startsWith('/') || /%(?![0-9a-fA-F]{2})/.test(path)) return null;
  const decoded = path.replace(/%[0-9a-fA-F]{2}/g, (triplet) => {
    const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
    return /[A-Za-z0-9._~!$&'()*+,;=:@-]/.test(character) ? character : triplet.toUpperCase();
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/%2F|%5C|%[01][0-9A-F]|%7F|[\\\x00-\x20\x7f]/.test(decoded)) return null;

  const kept: string[] = [];
  const segments = decoded.split('/');
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const isFolder = kept.length > 0 && ['', '.', '..'].includes(segments[segments.length - 1]);
  return `/${kept.join('/')}${isFolder ? '/' : ''}`;
}
