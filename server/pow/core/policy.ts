import type { Address } from '../../base/address.ts';
import type { LoadTerms } from './load.ts';
import { isCovered, type PathPattern, segmentsOf } from './path-pattern.ts';
import type { Terms } from './tiers.ts';
import type { VerifiedBotName } from './verified-bots.ts';
import type { WorkPrice } from './work-price.ts';

/** Who passes a route without a proof. */
export type Exempt = {
  paths: readonly PathPattern[];
  networks: { covers(address: Address): boolean };
  /** Ids of API keys. */
  keys: readonly string[];
  /** Lower-case pieces of a User-Agent. */
  userAgents: readonly string[];
  /** Crawlers that DNS must prove. */
  verifiedBots: readonly VerifiedBotName[];
};

/** One gated route. `terms.passportTtlSecs` 0 is per-request mode. */
export type Route = {
  id: string;
  /** The u32 that stands for the id in an envelope: the first four bytes of its SHA-256. */
  tag: number;
  paths: readonly PathPattern[];
  /** Upper-case methods, or null for all. */
  methods: readonly string[] | null;
  terms: Terms;
  /** Left out where every request costs the same. */
  work?: WorkPrice;
  /** Everyone is let in, and it is only told who would not have been. */
  isDryRun: boolean;
  exempt: Exempt;
};

/** What is gated, and at what price. */
export type Policy = {
  defaults: Terms;
  routes: readonly Route[];
  load: LoadTerms;
  /** Whether the signup score counts in the verdict. */
  usesIpScore: boolean;
};

/** What the gate looks at before it asks for a proof. `path` is normalised. */
export type Visit = {
  method: string;
  path: string;
  address: Address;
  userAgent: string;
  keyId: string | null;
  /** All headers, by lower-case name; left out where nobody has them. */
  headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** The first route, in the order of the file, that gates this method and path; null where nothing does. */
export function findRoute(policy: Policy, method: string, path: string): Route | null {
  const segments = segmentsOf(path);
  for (const route of policy.routes) {
    if (takesMethod(route, method) && isCovered(route.paths, segments)) return route;
  }
  return null;
}

// A HEAD tells what a GET would, so it is gated as one (RFC 9110 §9.3.2).
const takesMethod = ({ methods }: Route, method: string): boolean =>
  methods === null || methods.includes(method) || (method === 'HEAD' && methods.includes('GET'));

/** Whether the route lets this visit in as it comes. Verified bots are not looked at: they need DNS. */
export function isExempt({ exempt }: Route, visit: Visit): boolean {
  return (
    (exempt.paths.length > 0 && isCovered(exempt.paths, segmentsOf(visit.path))) ||
    exempt.networks.covers(visit.address) ||
    (visit.keyId !== null && exempt.keys.includes(visit.keyId)) ||
    (exempt.userAgents.length > 0 && namesOneOf(exempt.userAgents, visit.userAgent.toLowerCase()))
  );
}

const namesOneOf = (pieces: readonly string[], userAgent: string): boolean =>
  pieces.some((piece) => userAgent.includes(piece));

/** Whether every request to the route needs a proof of its own. */
export const isPerRequest = (route: Route): boolean => route.terms.passportTtlSecs === 0;
