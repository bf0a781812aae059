import { hash } from 'node:crypto';
import type { SiteRecord, SiteStore } from '../search/core/site.ts';
import type { Environment } from './environment.ts';

/** Sites in LMDB, by their id; beside them the ids by tenant, so that a tenant's list does not walk all sites. */
export function createLmdbSites(environment: Environment): SiteStore {
  const table = environment.table<SiteRecord>('sites');
  const byTenant = environment.table<string>('sites-by-tenant');

  function listOf(tenant: string, after: string, limit: number): SiteRecord[] {
    const ids = byTenant.getRange({
      start: tenantKey(tenant, `${after}\0`),
      end: tenantKey(tenant, '\xff'),
      limit,
    });
    return [...ids].flatMap(({ value }) => table.get(Buffer.from(value)) ?? []);
  }

  return {
    get: (siteId) => table.get(Buffer.from(siteId)) ?? null,
    list(tenant, after, limit) {
      if (tenant !== null) return listOf(tenant, after, limit);
      // Behind `after`: no id begins with another.
      const range = table.getRange({ start: Buffer.from(`${after}\0`), limit });
      return [...range].map(({ value }) => value);
    },
    async add(record) {
      await environment.write(() =>
        table.transaction(() => {
          table.put(Buffer.from(record.siteId), record);
          if (record.tenant !== null) byTenant.put(tenantKey(record.tenant, record.siteId), record.siteId);
        }),
      );
    },
    update: (siteId, change) =>
      environment.write(() =>
        table.transaction(() => {
          const key = Buffer.from(siteId);
          const record = table.get(key);
          if (!record) return null;
          const changed = change(record);
          if (changed !== record) table.put(key, changed);
          return changed;
        }),
      ),
    async remove(siteId) {
      await environment.write(() =>
        table.transaction(() => {
          const record = table.get(Buffer.from(siteId));
          if (!record) return;
          table.remove(Buffer.from(siteId));
          if (record.tenant !== null) byTenant.remove(tenantKey(record.tenant, siteId));
        }),
      );
    },
  };
}

// A tenant's name may be longer than a key of LMDB.
const tenantKey = (tenant: string, siteId: string) =>
  Buffer.concat([hash('sha256', tenant, 'buffer'), Buffer.from(siteId, 'latin1')]);
