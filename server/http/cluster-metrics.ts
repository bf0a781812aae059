import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { fault } from '../wire/problem.ts';

// Any worker may be asked for the metrics, and the primary is the only one that reaches all of them.
type Question = { gatehouse: 'metrics?'; id: number };
type Answer = { gatehouse: 'metrics'; id: number; text: string | null };

/** Lets this process, the primary, gather the metrics of all workers for whichever of them was asked. */
export function gatherMetricsForWorkers(): void {
  const aggregator = new AggregatorRegistry();
  cluster.on('message', async (worker, message: Partial<Question>) => {
    if (message?.gatehouse !== 'metrics?' || typeof message.id !== 'number') return;
    // The library gives up after five seconds, should a worker hang.
    const text = await aggregator.clusterMetrics().catch(() => null);
    if (worker.isConnected()) worker.send({ gatehouse: 'metrics', id: message.id, text } satisfies Answer);
  });
}

/**
 * Joins this worker's registry to the others'; gives what writes them all out, counters and histograms added up.
 * @throws (the function given) Fault `overloaded` where not every worker answers
 */
export function joinMetrics(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries([registry]);
  // Its making is what has this worker answer the primary.
  new AggregatorRegistry();
  const waiting = new Map<number, (text: string | null) => void>();
  let asked = 0;
  process.on('message', (message: Partial<Answer>) => {
    if (message?.gatehouse !== 'metrics' || typeof message.id !== 'number') return;
    waiting.get(message.id)?.(message.text ?? null);
    waiting.delete(message.id);
  });
  return async function writeAll() {
    const id = asked++;
    const text = await new Promise<string | null>((resolve) => {
      waiting.set(id, resolve);
      process.send?.({ gatehouse: 'metrics?', id } satisfies Question);
    });
    if (text === null) {
      throw fault('overloaded', 'metrics: not every worker answered in time', {
        headers: { 'Retry-After': '5' },
      });
    }
    return text;
  };
}
