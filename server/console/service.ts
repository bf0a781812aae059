import { type Clock, type Digest, nowSecs, type Random } from '../base/ports.ts';
import {
  createSessionSeal,
  type EndedSessions,
  endOf,
  hex,
  ID_BYTES,
  isWorthRenewing,
  type Session,
} from './core/session.ts';

export type SessionsDeps = {
  adminKey: string;
  ended: EndedSessions;
  clock: Clock;
  random: Random;
  digest: Digest;
};
export type Sessions = ReturnType<typeof createSessions>;

/** Sessions of the console: texts that a cookie carries. What is kept of them are the ids of those that were ended early. */
export function createSessions({ adminKey, ended, clock, random, digest }: SessionsDeps) {
  const seal = createSessionSeal(new TextEncoder().encode(adminKey), digest);
  const sealUntil = (session: Session) => ({ text: seal.seal(session), session });

  return {
    /** A new session, whatever the request had before: an id that somebody else chose is never taken over. */
    begin(): { text: string; session: Session } {
      const startedAtSecs = nowSecs(clock);
      const expiresAtSecs = endOf(startedAtSecs, startedAtSecs);
      return sealUntil({ id: hex(random.bytes(ID_BYTES)), startedAtSecs, expiresAtSecs });
    },
    /** The first of the texts that is a session which goes on, or null. */
    find(texts: readonly string[]): Session | null {
      const now = nowSecs(clock);
      for (const text of texts) {
        const session = seal.open(text, now);
        if (session && !ended.has(session.id)) return session;
      }
      return null;
    },
    /** The session with a later end, where that is worth a new cookie; else null. */
    renew(session: Session): { text: string; session: Session } | null {
      const now = nowSecs(clock);
      if (!isWorthRenewing(session, now)) return null;
      return sealUntil({ ...session, expiresAtSecs: endOf(session.startedAtSecs, now) });
    },
    /** Ends a session for whoever has its text. Every later renewal of it has the same id. */
    end: (session: Session): Promise<void> =>
      ended.end(session.id, endOf(session.startedAtSecs, Number.MAX_SAFE_INTEGER)),
    isOver: (session: Session): boolean => nowSecs(clock) >= session.expiresAtSecs || ended.has(session.id),
    leftSecs: (session: Session): number => Math.max(0, session.expiresAtSecs - nowSecs(clock)),
    purge: (): Promise<number> => ended.purge(nowSecs(clock)),
  };
}
