import { pathReadings } from './path-readings.ts';
import { findRoute, isExempt, type Policy, type Route, type Visit } from './policy.ts';

// A proxy tells one, and its client may add another pair of headers; our choice, which bounds the work.
const MAX_TOLD = 4;

/** What a proxy says of the request that it holds. */
export type OriginalRequest = {
  /** The request target as it came. */
  target: string;
  /** Several where the header was there several times: each counts. Empty where none was told: then it may be any. */
  methods: readonly string[];
};

/**
 * The routes that must each let the request in; none where it may pass as it comes. Those that take most work come
 * first, since a passport for them often opens the others.
 *
 * Where `originals` say different things, all of them count. A target that cannot be read is held to every route, and
 * so are more than four.
 */
export function routesOver(
  policy: Policy,
  originals: readonly OriginalRequest[],
  visitor: Pick<Visit, 'address' | 'userAgent' | 'keyId'>,
): Route[] {
  if (originals.length > MAX_TOLD) return heaviestFirst(policy.routes);
  const needed = new Set<Route>();
  for (const { target, methods } of originals) {
    const readings = pathReadings(target);
    if (!readings) return heaviestFirst(policy.routes);
    for (const path of readings) {
      for (const method of possibleMethods(policy, methods)) {
        const route = findRoute(policy, method, path);
        if (route && !isExempt(route, { ...visitor, method, path })) needed.add(route);
      }
    }
  }
  return heaviestFirst([...needed]);
}

function possibleMethods(policy: Policy, told: readonly string[]): ReadonlySet<string> {
  // Methods have case (RFC 9110 §9.1), which not all software minds.
  if (told.length > 0 && told.length <= MAX_TOLD)
    return new Set([...told, ...told.map((method) => method.toUpperCase())]);
  return new Set(['GET', ...policy.routes.flatMap((route) => route.methods ?? [])]);
}

const heaviestFirst = (routes: readonly Route[]) =>
  routes.toSorted((a, b) => b.terms.difficultyBits - a.terms.difficultyBits);

/** What stands for a route where no target was told: any passport of the default work, as long as it lives. */
export function anyRoute({ defaults }: Policy): Route {
  return {
    id: '*',
    tag: 0,
    paths: [],
    methods: null,
    terms: { ...defaults, passportTtlSecs: Number.POSITIVE_INFINITY },
    exempt: { paths: [], networks: { covers: () => false }, userAgents: [], keys: [], verifiedBots: [] },
    isDryRun: false,
  };
}
