import type { Replies } from '../pow/core/replies.ts';
import type { SiteverifyBody } from '../wire/siteverify.ts';
import type { Environment } from './environment.ts';

/** Kept answers in LMDB. Few and short-lived: a purge walks them all. */
export function createLmdbReplies(environment: Environment): Replies {
  const table = environment.table<{ reply: SiteverifyBody; untilSecs: number }>('siteverify-replies');
  return {
    async get(key, nowSecs) {
      const kept = table.get(Buffer.from(key));
      return kept && nowSecs < kept.untilSecs ? kept.reply : null;
    },
    async keep(key, reply, untilSecs) {
      const name = Buffer.from(key);
      await environment.write(() =>
        table.ifNoExists(name, () => {
          table.put(name, { reply, untilSecs });
        }),
      );
    },
    async purge(nowSecs) {
      const over = [...table.getRange()].filter(({ value }) => value.untilSecs <= nowSecs);
      await Promise.all(over.map(({ key }) => table.remove(key)));
      return over.length;
    },
  };
}
