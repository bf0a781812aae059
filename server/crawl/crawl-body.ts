import type { CrawlSummary } from '../wire/crawl.ts';
import type { CrawlRecord } from './core/ports.ts';

/** A crawl as it goes over the wire. */
export function showCrawl(record: CrawlRecord): CrawlSummary {
  const { crawlId, state, configs, isScheduled, fetched, indexed, unchanged, removed, queued } = record;
  return {
    crawlId,
    state,
    configs,
    isScheduled,
    pagesPerSecond: Math.round(record.pagesPerSecond * 1000) / 1000,
    fetched,
    indexed,
    unchanged,
    removed,
    queued,
    skippedTotal: Object.values(record.skippedCount).reduce((sum, count) => sum + count, 0),
    skippedCount: record.skippedCount as Record<string, number>,
    keptOldIndex: record.keptOldIndex,
    notices: record.notices,
    problem: record.problem,
    queuedAt: isoTime(record.queuedAtSecs),
    startedAt: isoTime(record.startedAtSecs),
    endedAt: isoTime(record.endedAtSecs),
  };
}

const isoTime = (secs: number | null) => (secs === null ? null : new Date(secs * 1000).toISOString());
