import { encodeBase64url } from '../base/base64url.ts';
import { type Clock, type Digest, nowSecs, type Random } from '../base/ports.ts';
import type { Caller, KeyTier } from '../wire/access.ts';
import { fault } from '../wire/problem.ts';
import { KEY_ID_BYTES, readApiKey, SECRET_BYTES, writeApiKey } from './core/api-key.ts';
import type { Counters, KeyRecord, KeyStore } from './core/ports.ts';
import { type Meter, MONTHLY_QUOTAS, MOST_ROUTES, monthOf, secsToNextMonth } from './core/quotas.ts';

export type AccessDeps = { keys: KeyStore; counters: Counters; clock: Clock; random: Random; digest: Digest };
export type Access = ReturnType<typeof createAccess>;

/** API keys and what their tiers allow. */
export function createAccess({ keys, counters, clock, random, digest }: AccessDeps) {
  const hashOf = (secret: string) => hex(digest.sha256(new TextEncoder().encode(secret)));

  /**
   * Makes a key. Its text is in the answer and nowhere else.
   * @throws RangeError where the tier does not allow so many routes
   */
  async function issue(asked: {
    tier: KeyTier;
    tenant: string;
    routes: readonly string[];
  }): Promise<{ key: string; keyId: string; tier: KeyTier }> {
    const most = MOST_ROUTES[asked.tier];
    if (most !== null && asked.routes.length > most) {
      throw new RangeError(`a ${asked.tier} key is for at most ${most} routes, got ${asked.routes.length}`);
    }
    const keyId = hex(random.bytes(KEY_ID_BYTES));
    const secret = encodeBase64url(random.bytes(SECRET_BYTES));
    await keys.put({
      keyId,
      secretHash: hashOf(secret),
      tier: asked.tier,
      tenant: asked.tenant,
      routes: [...asked.routes],
      hasFixedRoutes: asked.routes.length > 0,
      issuedAtSecs: nowSecs(clock),
      revokedAtSecs: null,
    });
    return { key: writeApiKey(keyId, secret), keyId, tier: asked.tier };
  }

  /** Ends a key at once; false where there is none of this id. Revoking twice keeps the first time. */
  async function revoke(keyId: string): Promise<boolean> {
    const now = nowSecs(clock);
    const record = await keys.update(keyId, (kept) => ({
      ...kept,
      revokedAtSecs: kept.revokedAtSecs ?? now,
    }));
    return record !== null;
  }

  /**
   * Lets the key be used for a gated route: one of those it is for, or a further one while its tier has room.
   * @throws Fault `route-mismatch`
   */
  async function claimRoute(caller: Caller, routeId: string): Promise<void> {
    const most = MOST_ROUTES[caller.tier];
    const isFor = (record: KeyRecord | null) =>
      record !== null && (record.routes.includes(routeId) || (most === null && !record.hasFixedRoutes));
    if (isFor(await keys.get(caller.keyId))) return;
    const record = await keys.update(caller.keyId, (kept) => {
      const hasRoom = !kept.hasFixedRoutes && most !== null && kept.routes.length < most;
      return hasRoom && !kept.routes.includes(routeId)
        ? { ...kept, routes: [...kept.routes, routeId] }
        : kept;
    });
    if (isFor(record)) return;
    throw fault(
      'route-mismatch',
      `this key is for the routes ${record?.routes.join(', ')}, not ${JSON.stringify(routeId)}`,
    );
  }

  /**
   * The caller of a key's text.
   * @throws Fault `unknown-key` where it is no key, unknown, revoked, or its secret is wrong: which one is not told
   */
  async function callerOf(text: string): Promise<Caller> {
    const parts = readApiKey(text);
    const record = parts && (await keys.get(parts.keyId));
    const isRight =
      parts !== null &&
      record !== null &&
      record.revokedAtSecs === null &&
      digest.equal(bytesOf(hashOf(parts.secret)), bytesOf(record.secretHash));
    if (!isRight) {
      throw fault('unknown-key', 'X-API-Key: expected a key that was issued here and is not revoked');
    }
    const { keyId, tier, tenant } = record;
    return { keyId, tier, tenant };
  }

  /** The id of the key in a text that may be anything: null where it has not the shape of a key. @throws as `callerOf` */
  const keyIdOf = async (text: string): Promise<string | null> =>
    readApiKey(text) ? (await callerOf(text)).keyId : null;

  /**
   * Counts one use against the month's quota of the key.
   * @throws Fault `quota-exceeded` with the time until the next month; nothing is counted then
   */
  async function charge(caller: Caller, meter: Meter): Promise<void> {
    const most = MONTHLY_QUOTAS[caller.tier][meter];
    const { isAdded } = await counters.add(counterOf(caller.keyId, meter), most);
    if (isAdded) return;
    const secs = secsToNextMonth(clock.nowMs());
    throw fault('quota-exceeded', `the quota of this key is ${most} ${meter} a month (UTC)`, {
      headers: {
        'Retry-After': String(secs),
        'RateLimit-Policy': `"${meter}";q=${most}`,
        RateLimit: `"${meter}";r=0;t=${secs}`,
      },
    });
  }

  /**
   * Until when each tenant has, or had, a key of a paying tier, in Unix seconds: Infinity while one is good. Tenants that
   * never had one are not in it.
   */
  async function subscribers(): Promise<Map<string, number>> {
    const until = new Map<string, number>();
    for (const { tier, tenant, revokedAtSecs } of await keys.list()) {
      if (tier === 'free') continue;
      until.set(tenant, Math.max(until.get(tenant) ?? 0, revokedAtSecs ?? Number.POSITIVE_INFINITY));
    }
    return until;
  }

  const counterOf = (keyId: string, meter: Meter) => `${keyId}:${meter}:${monthOf(clock.nowMs())}`;

  return {
    issue,
    revoke,
    callerOf,
    keyIdOf,
    claimRoute,
    charge,
    subscribers,
    list: (): Promise<KeyRecord[]> => keys.list(),
    /** How much of a meter the key has used this month. */
    usedThisMonth: (keyId: string, meter: Meter): Promise<number> => counters.read(counterOf(keyId, meter)),
  };
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const bytesOf = (text: string) => new TextEncoder().encode(text);
