import { fileURLToPath } from 'node:url';
import inject, { type InjectOptions, type Response } from 'light-my-request';
import { createThrottle, type Rate } from '../server/access/throttle.ts';
import { createAddressSet } from '../server/base/address-set.ts';
import type { Clock, Log } from '../server/base/ports.ts';
import { nodeDigest } from '../server/base/system.ts';
import { type AppDeps, createApp } from '../server/http/app.ts';
import { builtInVerdict, type VerdictOf } from '../server/pow/core/verdict.ts';
import type { IsVerifiedBot } from '../server/pow/core/verified-bots.ts';
import { createMemoryReplies } from './memory-replies.ts';
import { createTestAccess } from './test-access.ts';
import { createTestGate, createTestRandom, type TestGateOptions } from './test-gate.ts';

export type TestAppOptions = TestGateOptions & {
  trustedProxies?: string[];
  allowedOrigins?: string[];
  isDemo?: boolean;
  probe?: () => Promise<void>;
  throttle?: Rate;
  verdictOf?: VerdictOf;
  isVerifiedBot?: IsVerifiedBot;
  /** What stands under `/sites`, on the app's clock and log. */
  siteSearch?: (clock: Clock, log: Log) => AppDeps['siteSearch'];
};

/** One line of the log: its level, its message and its fields. */
export type LogLine = { level: keyof Log; message: string } & Record<string, unknown>;

/** The real app in this process, without a port: requests go in and answers come out as objects. */
export function createTestApp(options: TestAppOptions = {}) {
  const world = createTestGate(options);
  const { access } = createTestAccess(world.clock);
  const lines: LogLine[] = [];
  const state = { isStopping: false };
  const write = (level: keyof Log) => (fields: object, message: string) =>
    void lines.push({ level, message, ...fields });
  const log: Log = { info: write('info'), warn: write('warn'), error: write('error') };
  const app = createApp({
    version: '0.0.0-test',
    clock: world.clock,
    random: createTestRandom(),
    log,
    trustedProxies: createAddressSet(options.trustedProxies ?? []),
    allowedOrigins: options.allowedOrigins ?? [],
    ...access,
    siteSearch: options.siteSearch?.(world.clock, log) ?? null,
    digest: nodeDigest,
    replies: createMemoryReplies(),
    throttleChallenge: createThrottle('challenge', options.throttle ?? { calls: 1e9, secs: 60 }),
    gate: world.gate,
    policy: () => world.state.policy,
    verdictOf: options.verdictOf ?? (async (visit) => builtInVerdict(visit)),
    isVerifiedBot: options.isVerifiedBot ?? (async () => false),
    browserFolder: fileURLToPath(new URL('fixtures/browser', import.meta.url)),
    probe: options.probe ?? (async () => {}),
    isStopping: () => state.isStopping,
    isDemo: options.isDemo ?? true,
  });
  const handle = app.callback();

  const request = (asked: InjectOptions | string): Promise<Response> =>
    inject(handle, typeof asked === 'string' ? { url: asked, method: 'GET' } : { method: 'GET', ...asked });

  /** Posts a body as JSON, or a text as it is. */
  const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    request({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    });

  return { ...world, access, app, request, post, lines, appState: state };
}
