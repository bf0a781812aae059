import type { EndedSessions } from '../console/core/session.ts';
import type { Environment } from './environment.ts';

/** Ids of ended sessions in LMDB, with when each would have ended anyway. Few and short-lived: a purge walks them all. */
export function createLmdbEndedSessions(environment: Environment): EndedSessions {
  const table = environment.table<number>('ended-sessions');
  return {
    async end(id, untilSecs) {
      await environment.write(() => table.put(Buffer.from(id), untilSecs));
    },
    has: (id) => table.get(Buffer.from(id)) !== undefined,
    async purge(nowSecs) {
      const over = [...table.getRange()].filter(({ value }) => value <= nowSecs);
      await Promise.all(over.map(({ key }) => table.remove(key)));
      return over.length;
    },
  };
}
