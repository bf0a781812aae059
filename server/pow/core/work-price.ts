import type { Route } from './policy.ts';

/** What a route takes on top of its bits, by what a request asks a model for. */
export type WorkPrice = {
  /** By the name that clients use. */
  models: ReadonlyMap<string, number>;
  /** For every other model. */
  otherModels: number;
  /** By the most tokens that the answer may have; the highest step that is exceeded counts. Ascending. */
  outputTokens: readonly { above: number; bits: number }[];
};

/** What a request asks for. `outputTokens` null: it sets no limit. */
export type WorkAsked = { model: string; outputTokens: number | null };

/**
 * What the body of a request asks a model for; null where it does not say so in a way that everyone reads alike.
 *
 * Several limits count as the highest, and several answers as many times as much.
 */
export function readWorkAsked(body: unknown): WorkAsked | null {
  if (body === null || typeof body !== 'object') return null;
  const { model, n = null, ...rest } = body as Record<string, unknown>;
  if (typeof model !== 'string') return null;
  const given = LIMITS.map((name) => rest[name] ?? null).filter((limit) => limit !== null);
  if (!given.every(isCount) || (n !== null && !isCount(n))) return null;
  return { model, outputTokens: given.length === 0 ? null : Math.max(...given) * (n ?? 1) };
}

// Chat Completions (both names), Messages, Responses.
const LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'];

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

/** The bits that a request pays more. What nobody can read costs the most: the price is never open. */
export function workBits(price: WorkPrice, asked: WorkAsked | null): number {
  const { models, otherModels, outputTokens } = price;
  const most = outputTokens.at(-1)?.bits ?? 0;
  if (asked === null) return Math.max(otherModels, ...models.values()) + most;
  const limit = asked.outputTokens;
  const step = limit === null ? most : (outputTokens.findLast(({ above }) => limit > above)?.bits ?? 0);
  return (models.get(asked.model) ?? otherModels) + step;
}

/** The route at the price of this request. `asked` null: at its highest. */
export function priceRoute(route: Route, asked: WorkAsked | null): Route {
  if (!route.work) return route;
  const difficultyBits = route.terms.difficultyBits + workBits(route.work, asked);
  return { ...route, terms: { ...route.terms, difficultyBits } };
}
