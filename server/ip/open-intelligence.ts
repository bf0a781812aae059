import type { Digest, Log, Timer } from '../base/ports.ts';
import type { DataSource } from '../wire/ip.ts';
import { createGazetteer } from './data/gazetteer.ts';
import { openEmbedded, openIpData } from './data/ip-data.ts';
import { openLiveIpData } from './data/live-ip-data.ts';
import { createIntelligence, type Intelligence } from './service.ts';
import { isDeclaredBot, isDisposable } from './visitors.ts';

/** IP intelligence on the data of a folder, which it follows while the server runs. */
export async function openIntelligence({
  folder,
  timer,
  log,
  digest,
}: {
  folder: string;
  timer: Timer;
  log: Log;
  digest: Digest;
}): Promise<{
  intelligence: Intelligence;
  /** Where answers come from now. */
  sources(): readonly DataSource[];
  reload(): Promise<void>;
  stopWatching(): void;
}> {
  const live = await openLiveIpData({
    folder,
    open: (path) => openIpData(path, openEmbedded),
    timer,
    log,
  });
  const intelligence = createIntelligence({
    data: live.current,
    gazetteer: createGazetteer(),
    isDeclaredBot,
    isDisposable,
    digest,
  });
  return {
    intelligence,
    sources: () => live.current().sources,
    reload: live.reload,
    stopWatching: live.watch(),
  };
}
