import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nowSecs } from '../../../server/base/ports.ts';
import { isOver } from '../../../server/search/core/retention.ts';
import { startSweeping, sweepSites } from '../../../server/search/sweep.ts';
import { START_SECS } from '../../test-gate.ts';
import { createTestSearch, page } from '../../test-search.ts';
import { createTestTimer } from '../../test-timer.ts';

const DAY_SECS = 86_400;
const nobody = async () => new Map<string, number>();

async function openSites(subscribers: () => Promise<ReadonlyMap<string, number>> = nobody) {
  const world = createTestSearch();
  const { key } = await world.access.issue({ tier: 'free', tenant: 'acme', routes: [] });
  const deps = { sites: world.sites, drop: world.search.drop, subscribers };
  const sweep = () => sweepSites(deps, nowSecs(world.clock));
  const isThere = async (site: { siteId: string }) =>
    (await world.request(`/sites/${site.siteId}/search?query=`)).statusCode === 200;
  return { ...world, deps, sweep, isThere, pilot: await world.makeSite(), site: await world.makeSite(key) };
}

describe('a sweep', () => {
  test('ends a pilot 14 days after it was made, used or not', async () => {
    const { clock, sweep, sites, pilot, putPages, index } = await openSites();
    await putPages(pilot, page('a'));
    clock.advanceSecs(14 * DAY_SECS - 1);
    await putPages(pilot, page('a'));
    assert.equal(await sweep(), 0);
    clock.advanceSecs(1);
    assert.equal(await sweep(), 1);
    assert.equal(sites.get(pilot.siteId), null);
    assert.equal(index.sites.size, 0);
  });

  test('ends a site 90 days after its last query or write', async () => {
    const { clock, sweep, sites, site, putPages, find } = await openSites();
    clock.advanceSecs(60 * DAY_SECS);
    await putPages(site, page('a'));
    clock.advanceSecs(60 * DAY_SECS);
    await find(site, 'anything');
    clock.advanceSecs(90 * DAY_SECS - 1);
    await sweep();
    assert.ok(sites.get(site.siteId));
    clock.advanceSecs(1);
    assert.equal(await sweep(), 1);
    assert.equal(sites.get(site.siteId), null);
  });

  test('goes by the days of the profile', async () => {
    const { clock, sweep, sites, site, putJson, pathOf } = await openSites();
    await putJson(pathOf(site, '/profile'), { retentionDays: 2 });
    clock.advanceSecs(2 * DAY_SECS);
    assert.equal(await sweep(), 1);
    assert.equal(sites.get(site.siteId), null);
  });

  test('never ends a subscriber’s site, and gives it its days once the last key is revoked', async () => {
    let until = Number.POSITIVE_INFINITY;
    const { clock, sweep, sites, site } = await openSites(async () => new Map([['acme', until]]));
    clock.advanceSecs(5_000 * DAY_SECS);
    await sweep();
    assert.ok(sites.get(site.siteId));
    until = nowSecs(clock);
    clock.advanceSecs(90 * DAY_SECS - 1);
    assert.equal(await sweep(), 0);
    clock.advanceSecs(1);
    assert.equal(await sweep(), 1);
    assert.equal(sites.get(site.siteId), null);
  });

  test('spares a site that is used while it runs', async () => {
    const { clock, sites, site, deps } = await openSites();
    clock.advanceSecs(90 * DAY_SECS);
    const now = nowSecs(clock);
    const racing = {
      ...sites,
      get(siteId: string) {
        const seen = sites.get(siteId);
        // Between this look and the mark somebody searches.
        if (seen && siteId === site.siteId)
          void sites.update(siteId, (kept) => ({ ...kept, usedAtSecs: now }));
        return seen;
      },
    };
    assert.equal(await sweepSites({ ...deps, sites: racing }, now), 1);
    assert.equal(sites.get(site.siteId)?.goneAtSecs, null);
  });

  test('ends what a crash cut off', async () => {
    const { sites, sweep, site, isThere } = await openSites();
    await sites.update(site.siteId, (kept) => ({ ...kept, goneAtSecs: START_SECS }));
    assert.equal(await isThere(site), false);
    assert.equal(await sweep(), 1);
    assert.equal(sites.get(site.siteId), null);
  });

  test('goes through more sites than it reads at once', async () => {
    const { clock, sweep, makeSite } = await openSites();
    for (let i = 0; i < 450; i++) await makeSite();
    clock.advanceSecs(14 * DAY_SECS);
    assert.equal(await sweep(), 451);
  });
});

test('the guard of subscribers is what keeps their sites', async () => {
  const { sites, site } = await openSites();
  const record = sites.get(site.siteId);
  assert.ok(record);
  const late = START_SECS + 5_000 * DAY_SECS;
  assert.equal(isOver(record, late, 0), true);
  assert.equal(isOver(record, late, Number.POSITIVE_INFINITY), false);
});

test('sweeping goes on after a failure, until it is stopped', async () => {
  const { deps, clock, lines, pilot, sites } = await openSites();
  const timer = createTestTimer();
  const write = (_: object, message: string) => void lines.push({ level: 'error', message });
  let isBroken = true;
  const subscribers = async () => {
    if (isBroken) throw new Error('planted');
    return nobody();
  };
  const stop = startSweeping(
    { ...deps, subscribers, clock, timer, log: { info: write, warn: write, error: write } },
    60_000,
  );
  const fire = async () => {
    timer.fire();
    for (let i = 0; i < 5; i++) await new Promise(setImmediate);
  };
  await fire();
  assert.equal(lines.at(-1)?.message, 'sites could not be swept');
  isBroken = false;
  clock.advanceSecs(14 * DAY_SECS);
  await fire();
  assert.equal(sites.get(pilot.siteId), null);
  assert.equal(lines.at(-1)?.message, 'sites deleted whose time was over');
  assert.equal(timer.waiting(), 1);
  stop();
  assert.equal(timer.waiting(), 0);
});
