import type { Context } from './request-state.ts';

// RFC 3986 §3.2.2 and §3.2.3: a name, an IPv4 address or a bracketed IPv6 one, and a port. Less than may stand there.
const HOST = /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i;

/**
 * Where the caller reaches this server, as far as the request tells: for addresses in what is shown to this caller alone,
 * never for anything that is kept or decided. A Host that is none gives `localhost`.
 */
export function ownOrigin(ctx: Context, isBehindProxy: (ctx: Context) => boolean): string {
  const host = HOST.test(ctx.host) ? ctx.host : 'localhost';
  const told = isBehindProxy(ctx) ? ctx.get('X-Forwarded-Proto').toLowerCase() : '';
  return `${told === 'https' || ctx.secure ? 'https' : 'http'}://${host}`;
}
