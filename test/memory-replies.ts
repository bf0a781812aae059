import type { Replies } from '../server/pow/core/replies.ts';
import type { SiteverifyBody } from '../server/wire/siteverify.ts';

/** Kept answers in a Map. */
export function createMemoryReplies(): Replies {
  const kept = new Map<string, { reply: SiteverifyBody; untilSecs: number }>();
  const nameOf = (key: Uint8Array) => Buffer.from(key).toString('hex');
  return {
    async get(key, nowSecs) {
      const entry = kept.get(nameOf(key));
      return entry && nowSecs < entry.untilSecs ? entry.reply : null;
    },
    async keep(key, reply, untilSecs) {
      if (!kept.has(nameOf(key))) kept.set(nameOf(key), { reply, untilSecs });
    },
    async purge(nowSecs) {
      const over = [...kept].filter(([, { untilSecs }]) => untilSecs <= nowSecs);
      for (const [name] of over) kept.delete(name);
      return over.length;
    },
  };
}
