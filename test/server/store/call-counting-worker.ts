// A worker that counts the calls it is told of in its primary, and says what came of them.
import type { CallCount, Rate } from '../../../server/access/core/ports.ts';
import { openClusterCallCounts } from '../../../server/store/cluster-call-counts.ts';

export type Told = { id: number; name: string; rate: Rate; caller: string };
export type Answered = { id: number; counted: CallCount };

const counts = new Map<string, (caller: string) => Promise<CallCount>>();

process.on('message', async ({ id, name, rate, caller }: Partial<Told>) => {
  if (id === undefined || name === undefined || rate === undefined || caller === undefined) return;
  const count = counts.get(name) ?? openClusterCallCounts(name, rate);
  counts.set(name, count);
  process.send?.({ id, counted: await count(caller) } satisfies Answered);
});
