// A worker that counts the calls it is told of in its primary, and says what came of them.
import type { CallCount, CountCall, Rate } from '../../../server/access/core/ports.ts';
import { openClusterCallCounts } from '../../../server/store/cluster-call-counts.ts';

export type Told = { id: number; name: string; rate: Rate; caller: string; by?: 1 | -1 };
export type Answered = { id: number; counted: CallCount };

const counts = new Map<string, CountCall>();

process.on('message', async ({ id, name, rate, caller, by }: Partial<Told>) => {
  if (id === undefined || name === undefined || rate === undefined || caller === undefined) return;
  const count = counts.get(name) ?? openClusterCallCounts(name, rate);
  counts.set(name, count);
  process.send?.({ id, counted: await count(caller, by) } satisfies Answered);
});
