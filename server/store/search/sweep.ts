import type { Environment } from '../environment.ts';
import { KIND, numberKey, numberOfKey, plainKey, REGISTRY } from './keys.ts';
import type { SearchTable } from './site-state.ts';

// Rows removed in one transaction: others get their turn in between. Our choice.
const ROWS_A_TURN = 5_000;

/** Removes the rows of every site that was dropped. Where it is stopped, the next one goes on. */
export async function sweepDropped(
  environment: Pick<Environment, 'write'>,
  table: SearchTable,
  isStopped: () => boolean,
): Promise<void> {
  const dropped = [
    ...table.getKeys({ start: plainKey(REGISTRY, KIND.dropped), end: plainKey(REGISTRY, KIND.lastNumber) }),
  ];
  for (const key of dropped) {
    const site = numberOfKey(key);
    const range = {
      start: plainKey(site, 0 as typeof KIND.state),
      end: plainKey(site + 1, 0 as typeof KIND.state),
      limit: ROWS_A_TURN,
    };
    for (let isDone = false; !isDone; ) {
      if (isStopped()) return;
      isDone = await environment.write(async () => {
        const isLast = await table.transaction(() => {
          const keys = [...table.getKeys(range)];
          for (const row of keys) table.removeSync(row);
          if (keys.length === ROWS_A_TURN) return false;
          table.removeSync(numberKey(REGISTRY, KIND.dropped, site));
          return true;
        });
        await table.flushed;
        return isLast;
      });
    }
  }
}
