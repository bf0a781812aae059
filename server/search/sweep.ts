import { type Clock, type Log, nowSecs, type Timer } from '../base/ports.ts';
import { isOver } from './core/retention.ts';
import type { SiteStore } from './core/site.ts';

// Read so many at a time, so that requests come in between however many sites there are.
const BATCH = 200;

export type SweepDeps = {
  sites: SiteStore;
  /** Removes a site with all that belongs to it. */
  drop(siteId: string): Promise<void>;
  /** Until when each tenant has, or had, a key of a paying tier: Infinity while one is good. */
  subscribers(): Promise<ReadonlyMap<string, number>>;
};

/** Deletes the sites whose time is over at `now`, and ends deletions that were cut off. Gives how many it deleted. */
export async function sweepSites({ sites, drop, subscribers }: SweepDeps, now: number): Promise<number> {
  const subscribedUntil = await subscribers();
  let deleted = 0;
  for (let after = ''; ; ) {
    const batch = sites.list(null, after, BATCH);
    for (const { siteId, tenant } of batch) {
      const until = (tenant !== null && subscribedUntil.get(tenant)) || 0;
      // Decided on the record as it stands at this moment: a query may just have used the site.
      const left = await markIfOver(sites, siteId, now, until);
      if (left === 'stays') continue;
      await drop(siteId);
      deleted++;
    }
    if (batch.length < BATCH) return deleted;
    after = batch[batch.length - 1].siteId;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function markIfOver(
  sites: SiteStore,
  siteId: string,
  now: number,
  subscribedUntil: number,
): Promise<'over' | 'stays'> {
  const site = sites.get(siteId);
  if (site === null) return 'stays';
  if (site.goneAtSecs === null && !isOver(site, now, subscribedUntil)) return 'stays';
  const kept = await sites.update(siteId, (record) =>
    record.goneAtSecs === null && isOver(record, now, subscribedUntil)
      ? { ...record, goneAtSecs: now }
      : record,
  );
  return kept !== null && kept.goneAtSecs !== null ? 'over' : 'stays';
}

/** Sweeps every `everyMs`, one sweep after the other, until what it gives is called. */
export function startSweeping(
  deps: SweepDeps & { clock: Clock; timer: Timer; log: Log },
  everyMs: number,
): () => void {
  const { clock, timer, log } = deps;
  let isStopped = false;
  let cancel = timer.after(everyMs, sweep);

  async function sweep(): Promise<void> {
    try {
      const deleted = await sweepSites(deps, nowSecs(clock));
      if (deleted > 0) log.info({ deleted }, 'sites deleted whose time was over');
    } catch (err) {
      log.error({ err }, 'sites could not be swept');
    }
    if (!isStopped) cancel = timer.after(everyMs, sweep);
  }
  return () => {
    isStopped = true;
    cancel();
  };
}
