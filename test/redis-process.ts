import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { systemTimer } from '../server/base/system.ts';
import { openRedisConnection, type RedisConnection } from '../server/store/redis-connection.ts';
import { EPOCH_KEY, greetRedis } from '../server/store/redis-epoch.ts';
import { findPort } from './e2e/proxies.ts';
import { makeFolder } from './temporary-folder.ts';

/** A log that nobody reads. */
export const silentLog = { info() {}, warn() {}, error() {} };

export type RedisProcess = {
  url: string;
  /** A connection as a server opens it. */
  connect(): Promise<RedisConnection>;
  /** Forgets everything, and lets Redis count as one that has been remembering for long. */
  reset(): Promise<void>;
  /** Sends commands one by one and gives the last reply. */
  command(...commands: string[][]): Promise<unknown>;
  signal(signal: NodeJS.Signals): void;
  /** Kills it, and gives once it is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same port and files. */
  start(): Promise<void>;
  end(): Promise<void>;
};

/** A real Redis on a free port of the loopback, without persistence unless `args` say otherwise. */
export async function startRedis(...args: string[]): Promise<RedisProcess> {
  const { folder, remove } = makeFolder();
  const port = await findPort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess;
  process.once('exit', () => {
    child?.kill('SIGKILL');
    remove();
  });
  const open = (greet: typeof greetRedis) =>
    openRedisConnection({
      url,
      greet: (client) => greet(client, silentLog),
      timer: systemTimer,
      log: silentLog,
    });

  const redis: RedisProcess = {
    url,
    connect: () => open(greetRedis),
    async reset() {
      const connection = await open(async () => {});
      await connection.run((client) => client.flushAll());
      await connection.run((client) => greetRedis(client, silentLog));
      await connection.run((client) => client.hSet(EPOCH_KEY, 'since', '0'));
      connection.close();
    },
    async command(...commands) {
      const connection = await open(async () => {});
      let reply: unknown;
      for (const words of commands) reply = await connection.run((client) => client.sendCommand(words));
      connection.close();
      return reply;
    },
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.ref();
      const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await exited;
    },
    async start() {
      child = spawn(
        'redis-server',
        ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...args],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const stdout = child.stdout as Socket;
      let output = '';
      const exited = once(child, 'exit').then(() => {
        throw new Error(`redis-server ended:\n${output}`);
      });
      exited.catch(() => {});
      stdout.on('data', (chunk) => (output += chunk));
      while (!output.includes('Ready to accept connections')) {
        await Promise.race([once(stdout, 'data'), exited]);
      }
      // A test that fails before it has ended its Redis must not wait for it, nor leave it behind.
      child.unref();
      stdout.unref();
    },
    async end() {
      await redis.kill();
      remove();
    },
  };
  await redis.start();
  return redis;
}
