import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SiteRecord, SiteStore } from '../../server/search/core/site.ts';

const record = (siteId: string, tenant: string | null = null): SiteRecord => ({
  siteId,
  secretHash: '00',
  tenant,
  host: null,
  createdAtSecs: 10,
  usedAtSecs: 10,
  profile: { configs: [], recrawlHours: null, synonyms: [['a', 'b']], retentionDays: 90 },
  goneAtSecs: null,
});
const idsOf = (records: readonly SiteRecord[]) => records.map(({ siteId }) => siteId).join('');

/** What every store of sites keeps to. `open` gives an empty one. */
export function testSites(
  name: string,
  open: () => Promise<{ sites: SiteStore; close(): Promise<void> }>,
): void {
  describe(`${name} keeps the contract of sites`, () => {
    const check = (title: string, body: (sites: SiteStore) => Promise<void>) =>
      test(title, async () => {
        const { sites, close } = await open();
        try {
          await body(sites);
        } finally {
          await close();
        }
      });

    check('what is added is there until it is removed', async (sites) => {
      assert.equal(sites.get('a'), null);
      await sites.add(record('a', 'acme'));
      assert.deepEqual(sites.get('a'), record('a', 'acme'));
      await sites.remove('a');
      await sites.remove('a');
      assert.equal(sites.get('a'), null);
      assert.deepEqual(sites.list('acme', '', 10), []);
      assert.deepEqual(sites.list(null, '', 10), []);
    });

    check('changes at once all count', async (sites) => {
      await sites.add(record('a'));
      await Promise.all(
        Array.from({ length: 50 }, () =>
          sites.update('a', (kept) => ({ ...kept, usedAtSecs: kept.usedAtSecs + 1 })),
        ),
      );
      assert.equal(sites.get('a')?.usedAtSecs, 60);
      const first = await Promise.all(
        ['x', 'y'].map((host) => sites.update('a', (kept) => ({ ...kept, host: kept.host ?? host }))),
      );
      assert.equal(first[0]?.host, first[1]?.host);
      assert.equal(await sites.update('b', (kept) => kept), null);
    });

    check('lists go by id, in parts, for all or for one tenant', async (sites) => {
      for (const id of ['d', 'b', 'e', 'a', 'c'])
        await sites.add(record(id, 'aceb'.includes(id) ? 'acme' : 'acm'));
      await sites.add(record('f'));
      assert.equal(idsOf(sites.list(null, '', 10)), 'abcdef');
      assert.equal(idsOf(sites.list(null, 'b', 2)), 'cd');
      assert.equal(idsOf(sites.list(null, 'f', 2)), '');
      assert.equal(idsOf(sites.list('acme', '', 10)), 'abce');
      assert.equal(idsOf(sites.list('acme', 'a', 2)), 'bc');
      assert.equal(idsOf(sites.list('acm', '', 10)), 'd');
      assert.equal(idsOf(sites.list('acm', 'd', 10)), '');
      assert.equal(idsOf(sites.list('x'.repeat(5_000), '', 10)), '');
    });
  });
}
