import type { Router } from '@koa/router';
import type { Middleware } from 'koa';
import { fault } from '../wire/problem.ts';
import type { Context, RequestState } from './request-state.ts';

type Layer = Router<RequestState>['stack'][number];
type Handler = (ctx: Context, next: () => Promise<unknown>) => Promise<unknown>;

/** What a request of one path and method meets: handlers in their order, each with its route. */
type Way = { layer: Layer; handler: Handler }[];

/** The ways of one path by method, and the methods that it takes. */
type Ways = { layers: readonly Layer[]; byMethod: Map<string, Way | null> };

/**
 * The middleware of a router's routes: as the router's own, and 405 with `Allow` where it has the path but not for this
 * method (RFC 9110 §15.5.6).
 *
 * The router's own tries every route's pattern at every request, and puts the handlers together anew. Here a path that
 * was declared as it stands is found in a map, and any other is tried with the patterns of its first segment alone.
 * @throws RangeError where a route begins with a parameter: it would have to be tried for every path
 */
export function createRouteTable({ stack }: Router<RequestState>): Middleware<RequestState> {
  const byFirstSegment = Map.groupBy(stack, ({ path }) => {
    if (typeof path !== 'string' || /^\/?[^/]*[:*{(]/.test(path)) {
      throw new RangeError(`expected a route that begins with a name, got ${path}`);
    }
    return firstSegment(path);
  });
  const waysOf = (path: string): Ways => ({
    layers: byFirstSegment.get(firstSegment(path))?.filter((layer) => layer.match(path)) ?? [],
    byMethod: new Map(),
  });
  const declared = new Map(stack.map(({ path }) => [path as string, waysOf(path as string)]));

  return function route(ctx, next) {
    const { path, method } = ctx;
    const ways = declared.get(path) ?? waysOf(path);
    if (ways.layers.length === 0) return next();
    const way = wayOf(ways, method);
    if (way) return follow(way, 0, ctx, next);
    const allowed = [...new Set(ways.layers.flatMap(({ methods }) => methods))].sort();
    if (allowed.length === 0) return next();
    throw fault('method-not-allowed', `expected ${allowed.join(' or ')}, got ${method}`, {
      headers: { Allow: allowed.join(', ') },
    });
  };
}

/** Null where the path has no route for the method; what stands in front of routes has none and goes with all. */
function wayOf({ layers, byMethod }: Ways, method: string): Way | null {
  let way = byMethod.get(method);
  if (way !== undefined) return way;
  const taking = layers.filter(({ methods }) => methods.length === 0 || methods.includes(method));
  way = taking.some(({ methods }) => methods.length > 0)
    ? taking.flatMap((layer) => layer.stack.map((handler) => ({ layer, handler: handler as Handler })))
    : null;
  // Any token may stand for a method: what is not taken is not kept.
  if (way) byMethod.set(method, way);
  return way;
}

function follow(way: Way, at: number, ctx: Context, next: () => Promise<unknown>): Promise<unknown> {
  if (at === way.length) return next();
  const { layer, handler } = way[at];
  ctx.state.route = layer.path as string;
  // Where @koa/router's own contexts have them.
  if (layer.paramNames.length > 0) ctx.params = layer.params(ctx.path, layer.captures(ctx.path));
  return handler(ctx, () => follow(way, at + 1, ctx, next));
}

/** `sites` of `/Sites/x/search`: routes have no regard to case. */
const firstSegment = (path: string) => path.slice(1).split('/', 1)[0].toLowerCase();
