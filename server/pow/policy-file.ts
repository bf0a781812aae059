import type * as z from 'zod';
import { createAddressSet } from '../base/address-set.ts';
import type { Digest } from '../base/ports.ts';
import { readU32 } from '../wire/envelope.ts';
import { PolicyFile } from '../wire/policy.ts';
import { type PathPattern, readPathPattern } from './core/path-pattern.ts';
import type { Policy, Route } from './core/policy.ts';
import { VERIFIED_BOTS, type VerifiedBotName } from './core/verified-bots.ts';
import { type WorkPrice, workBits } from './core/work-price.ts';

/** What is gated where no policy file is given. */
export const BUILT_IN_POLICY: PolicyFile = {
  routes: [
    {
      id: 'chat',
      paths: ['/chat', '/v1/chat/completions', '/v1/messages'],
      methods: ['POST'],
      passport_ttl_secs: 0,
    },
    { id: 'demo', paths: ['/demo/*'] },
  ],
};

/** Every fault of a policy file, one line each. */
export class PolicyError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`the policy has ${faults.length} fault(s):\n${faults.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'PolicyError';
    this.faults = faults;
  }
}

/**
 * The policy that `json` (parsed, not yet trusted) describes.
 * @throws PolicyError with every fault at once
 */
export function readPolicy(json: unknown, digest: Digest): Policy {
  const parsed = PolicyFile.safeParse(json);
  const faults = [
    ...(parsed.error?.issues ?? []).map((issue) => `${placeOf(issue.path)}: ${issue.message}`),
    ...patternFaults(json),
    ...botFaults(json),
    ...idFaults(json, digest),
    ...workFaults(parsed.data),
  ];
  if (!parsed.success || faults.length > 0) throw new PolicyError(faults);

  const { defaults, routes, load, dry_run: isDryRun, ip_score: usesIpScore } = parsed.data;
  return {
    usesIpScore,
    load: {
      solvesPerSec: load.solves_per_sec,
      inFlight: load.in_flight,
      maxExtraBits: load.max_extra_bits,
      riseSecs: load.rise_secs,
      fallSecs: load.fall_secs,
    },
    defaults: {
      difficultyBits: defaults.difficulty_bits,
      challengeTtlSecs: defaults.challenge_ttl_secs,
      passportTtlSecs: defaults.passport_ttl_secs,
    },
    routes: routes.map(
      (route): Route => ({
        id: route.id,
        tag: routeTag(route.id, digest),
        paths: route.paths.map(patternOf),
        methods: route.methods ?? null,
        terms: {
          difficultyBits: route.difficulty_bits ?? defaults.difficulty_bits,
          challengeTtlSecs: route.challenge_ttl_secs ?? defaults.challenge_ttl_secs,
          passportTtlSecs: route.passport_ttl_secs ?? defaults.passport_ttl_secs,
        },
        ...(route.work && { work: workPriceOf(route.work) }),
        isDryRun: route.dry_run ?? isDryRun,
        exempt: {
          paths: route.exempt.paths.map(patternOf),
          networks: createAddressSet(route.exempt.networks),
          keys: route.exempt.keys,
          userAgents: route.exempt.user_agents.map((piece) => piece.toLowerCase()),
          verifiedBots: route.exempt.verified_bots as VerifiedBotName[],
        },
      }),
    ),
  };
}

type RouteFile = z.output<typeof PolicyFile>['routes'][number];

/** The entry `*` is for models without one. Without it they cost as much as the dearest: none is cheap by mistake. */
function workPriceOf({ models, output_tokens: outputTokens }: NonNullable<RouteFile['work']>): WorkPrice {
  const { '*': other, ...named } = models;
  const dearest = Math.max(0, ...Object.values(named));
  return { models: new Map(Object.entries(named)), otherModels: other ?? dearest, outputTokens };
}

// An envelope and a verdict know no more than 32 bits.
function workFaults(file: z.output<typeof PolicyFile> | undefined): string[] {
  return (file?.routes ?? []).flatMap(({ work, difficulty_bits: own }, i) => {
    const highest =
      (own ?? file?.defaults.difficulty_bits ?? 0) + (work ? workBits(workPriceOf(work), null) : 0);
    return highest > 32 ? [`routes[${i}].work: expected at most 32 bits in all, got ${highest}`] : [];
  });
}

/** The u32 of a route id in an envelope: the first four bytes of its SHA-256, big-endian. */
const routeTag = (id: string, digest: Digest) => readU32(digest.sha256(new TextEncoder().encode(id)), 0);

// The schema knows nothing of patterns, and one fault must not hide another: these walk the raw JSON.
function patternFaults(json: unknown): string[] {
  return routesOf(json).flatMap((route, i) =>
    [
      ...textsAt(route, 'paths').map(([k, text]) => [`routes[${i}].paths[${k}]`, text] as const),
      ...textsAt(route.exempt, 'paths').map(
        ([k, text]) => [`routes[${i}].exempt.paths[${k}]`, text] as const,
      ),
    ].flatMap(([place, text]) => {
      const pattern = readPathPattern(text);
      return typeof pattern === 'string' ? [`${place}: ${pattern}`] : [];
    }),
  );
}

function botFaults(json: unknown): string[] {
  return routesOf(json).flatMap((route, i) =>
    textsAt(route.exempt, 'verified_bots').flatMap(([k, name]) =>
      Object.hasOwn(VERIFIED_BOTS, name)
        ? []
        : [
            `routes[${i}].exempt.verified_bots[${k}]: expected one of ${Object.keys(VERIFIED_BOTS).join(', ')}, got ${JSON.stringify(name)}`,
          ],
    ),
  );
}

function idFaults(json: unknown, digest: Digest): string[] {
  const tags = new Map<number, string>();
  return routesOf(json).flatMap(({ id }, i) => {
    if (typeof id !== 'string') return [];
    const tag = routeTag(id, digest);
    const holder = tags.get(tag);
    if (holder !== undefined) {
      return [
        `routes[${i}].id: ${JSON.stringify(id)} has the envelope tag of ${JSON.stringify(holder)}; name it otherwise`,
      ];
    }
    tags.set(tag, id);
    // 0 stands for "any route" in an envelope.
    return tag === 0
      ? [`routes[${i}].id: ${JSON.stringify(id)} has the envelope tag 0; name it otherwise`]
      : [];
  });
}

type RawRoute = { id?: unknown; exempt?: unknown };

function routesOf(json: unknown): RawRoute[] {
  const routes = (json as { routes?: unknown } | null)?.routes;
  return Array.isArray(routes)
    ? routes.map((route) => (route !== null && typeof route === 'object' ? route : {}))
    : [];
}

function textsAt(holder: unknown, member: string): [number, string][] {
  const list = (holder as Record<string, unknown> | null | undefined)?.[member];
  return Array.isArray(list) ? [...list.entries()].filter(([, text]) => typeof text === 'string') : [];
}

const patternOf = (text: string) => readPathPattern(text) as PathPattern;

const placeOf = (path: readonly PropertyKey[]) =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '') || 'file';
