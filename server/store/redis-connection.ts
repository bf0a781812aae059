import { createClient } from '@redis/client';
import { Fault } from '../base/fault.ts';
import type { Log, Timer } from '../base/ports.ts';
import { TimeLimitError, withinLimit } from '../base/time-limit.ts';
import { fault } from '../wire/problem.ts';

// Our choice: a Redis nearby answers within a millisecond, and a stalled process is not taken for a stalled Redis.
export const LIMIT_MS = 2_000;
export const RETRY_MS = 500;
// More than this in flight means that Redis is overrun; what comes on top fails at once.
const MOST_IN_FLIGHT = 10_000;

/** What our scripts and commands are sent through. */
export type RedisClient = ReturnType<typeof createRedisClient>;

/** One connection to the shared store, which comes back by itself after it was lost. */
export type RedisConnection = {
  /**
   * Runs commands on the connection, within two seconds. Without a connection it fails at once: nothing is queued.
   * @throws Fault `store-unavailable`
   */
  run<Result>(work: (client: RedisClient) => Promise<Result>): Promise<Result>;
  close(): void;
};

export type RedisConnectionDeps = {
  url: string;
  /** Runs on each new connection before anything else does; where it rejects, the connection is not used. */
  greet(client: RedisClient): Promise<void>;
  timer: Timer;
  log: Log;
};

/** Connects, and gives the connection after the first try, whether that came through or not. */
export async function openRedisConnection({
  url,
  greet,
  timer,
  log,
}: RedisConnectionDeps): Promise<RedisConnection> {
  let ready: RedisClient | null = null;
  let isClosed = false;
  let toldOf = '';

  async function open(): Promise<void> {
    const client = createRedisClient(url);
    client.on('error', (err) => lose(client, err));
    try {
      await withinLimit(
        async () => {
          await client.connect();
          await greet(client);
        },
        LIMIT_MS,
        timer,
      );
    } catch (err) {
      return fail(client, err as Error);
    }
    if (isClosed) return discard(client);
    ready = client;
    toldOf = '';
    log.info({}, 'connected to Redis');
  }

  function lose(client: RedisClient, err: Error): void {
    if (ready !== client) return;
    ready = null;
    fail(client, err);
  }

  function fail(client: RedisClient, err: Error): void {
    discard(client);
    if (isClosed) return;
    // A Redis that stays away is told of once, not twice a second.
    if (toldOf !== err.message) log.error({ err }, 'no connection to Redis');
    toldOf = err.message;
    timer.after(RETRY_MS, () => void open());
  }

  await open();
  return {
    async run(work) {
      const client = ready;
      try {
        if (!client) throw new Error('there is no connection to Redis');
        return await withinLimit(() => work(client), LIMIT_MS, timer);
      } catch (cause) {
        if (cause instanceof Fault) throw cause;
        // A server that hangs keeps its connections: a new one finds out whether it answers again.
        if (client && cause instanceof TimeLimitError) lose(client, cause);
        throw unavailable('the shared store does not answer', cause);
      }
    },
    close() {
      isClosed = true;
      if (ready) discard(ready);
      ready = null;
    },
  };
}

/** 503 with the time after which a client should come again. */
export const unavailable = (detail: string, cause: unknown, retrySecs = 5) =>
  fault('store-unavailable', detail, { cause, headers: { 'Retry-After': String(retrySecs) } });

function createRedisClient(url: string) {
  return createClient({
    url,
    name: 'gatehouse',
    disableOfflineQueue: true,
    commandsQueueMaxLength: MOST_IN_FLIGHT,
    maintNotifications: 'disabled',
    socket: { reconnectStrategy: false, connectTimeout: LIMIT_MS },
  });
}

function discard(client: RedisClient): void {
  if (client.isOpen) client.destroy();
}
