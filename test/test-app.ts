import { fileURLToPath } from 'node:url';
import inject, { type InjectOptions, type Response } from 'light-my-request';
import { createAdminCheck } from '../server/access/admin-key.ts';
import type { Rate } from '../server/access/core/ports.ts';
import { createThrottle } from '../server/access/throttle.ts';
import { createAddressSet } from '../server/base/address-set.ts';
import type { Outbound } from '../server/base/outbound.ts';
import type { Clock, Log } from '../server/base/ports.ts';
import { nodeDigest } from '../server/base/system.ts';
import { readChatConfig } from '../server/chat/config-file.ts';
import { countChat } from '../server/chat/count-chat.ts';
import { createEcho } from '../server/chat/echo.ts';
import { createGateway } from '../server/chat/gateway.ts';
import { createDevices } from '../server/devices/service.ts';
import type { Library } from '../server/docs/library.ts';
import { type AppDeps, createApp } from '../server/http/app.ts';
import { createMetrics } from '../server/http/metrics.ts';
import { createCaptcha } from '../server/pow/captcha.ts';
import type { CaptchaSettings } from '../server/pow/core/captcha-providers.ts';
import type { TellGate } from '../server/pow/core/events.ts';
import { builtInVerdict, type VerdictOf } from '../server/pow/core/verdict.ts';
import type { IsVerifiedBot } from '../server/pow/core/verified-bots.ts';
import { countGate, timeSpent } from '../server/pow/gate-metrics.ts';
import { openMemoryCallCounts } from '../server/store/memory-call-counts.ts';
import { createMemorySpent } from '../server/store/memory-spent.ts';
import { createMemoryDevices } from './memory-devices.ts';
import { createMemoryReplies } from './memory-replies.ts';
import { createTestAccess } from './test-access.ts';
import { createTestGate, createTestRandom, type TestGateOptions } from './test-gate.ts';
import { createTestIntelligence } from './test-intelligence.ts';

export type TestAppOptions = TestGateOptions & {
  trustedProxies?: string[];
  allowedOrigins?: string[];
  isDemo?: boolean;
  isBench?: boolean;
  devicesRate?: Rate;
  mostDevices?: number;
  probe?: () => Promise<void>;
  throttle?: Rate;
  verdictOf?: VerdictOf;
  isVerifiedBot?: IsVerifiedBot;
  enterPaid?: () => () => void;
  /** The settings of a CAPTCHA service, and how it is reached. */
  captcha?: { settings: CaptchaSettings; outbound: Outbound };
  captchaThrottle?: Rate;
  /** The crawler beside it; asked for after the search was made. */
  crawling?: (clock: Clock) => AppDeps['crawling'];
  /** The documentation; none is served where it is missing. */
  library?: Library;
  demoSearch?: AppDeps['demoSearch'];
  /** What stands under `/sites`, on the app's clock and log. */
  /** What stands under `/console`, on the app's clock. */
  console?: (clock: Clock) => AppDeps['console'];
  siteSearch?: (clock: Clock, log: Log) => AppDeps['siteSearch'];
  /** What fills sites from feeds, over that search. */
  feeds?: (siteSearch: NonNullable<AppDeps['siteSearch']>, clock: Clock, log: Log) => AppDeps['feeds'];
  /** A `CHAT_CONFIG` with the environment that its keys are in; without it the echo answers. */
  chat?: { config: object; env?: Record<string, string>; outbound: Outbound };
};

export const TEST_ADMIN_KEY = 'an-admin-key-of-the-tests';

/** One line of the log: its level, its message and its fields. */
export type LogLine = { level: keyof Log; message: string } & Record<string, unknown>;

/** The real app in this process, without a port: requests go in and answers come out as objects. */
export function createTestApp(options: TestAppOptions = {}) {
  const metrics = createMetrics();
  const count = countGate(metrics);
  const tell: TellGate = (event) => {
    count(event);
    options.tell?.(event);
  };
  const world = createTestGate({
    ...options,
    spent: timeSpent(options.spent ?? createMemorySpent(), metrics),
    tell,
  });
  const { access } = createTestAccess(world.clock);
  const lines: LogLine[] = [];
  const state = { isStopping: false };
  const write = (level: keyof Log) => (fields: object, message: string) =>
    void lines.push({ level, message, ...fields });
  const devices = createDevices({
    rows: createMemoryDevices(options.mostDevices),
    clock: world.clock,
    random: createTestRandom(),
  });
  const throttle = (name: string, rate: Rate = { calls: 1e9, secs: 60 }) =>
    createThrottle(name, rate, openMemoryCallCounts);
  const log: Log = { info: write('info'), warn: write('warn'), error: write('error') };
  const siteSearch = options.siteSearch?.(world.clock, log) ?? null;
  const { chat } = options;
  const gateway = createGateway({
    models: chat ? readChatConfig(JSON.stringify(chat.config), (name) => chat.env?.[name]) : null,
    echo: createEcho(async () => {}),
    outbound: chat?.outbound ?? (() => Promise.reject(new Error('this test reaches nobody'))),
    clock: world.clock,
    random: createTestRandom(),
    log,
    tell: countChat(metrics),
  });
  const app = createApp({
    gateway,
    version: '0.0.0-test',
    clock: world.clock,
    random: createTestRandom(),
    log,
    trustedProxies: createAddressSet(options.trustedProxies ?? []),
    allowedOrigins: options.allowedOrigins ?? [],
    ...access,
    metrics,
    tell,
    ...(options.enterPaid && { enterPaid: options.enterPaid }),
    isAdminKey: createAdminCheck(TEST_ADMIN_KEY, nodeDigest),
    siteSearch,
    feeds: (siteSearch && options.feeds?.(siteSearch, world.clock, log)) ?? null,
    console: options.console?.(world.clock) ?? null,
    crawling: options.crawling?.(world.clock) ?? null,
    digest: nodeDigest,
    replies: createMemoryReplies(),
    throttleChallenge: throttle('challenge', options.throttle),
    intelligence: createTestIntelligence(),
    chargeLookup: (caller) => access.charge(caller, 'ip-lookups'),
    throttleLookup: throttle('ip', options.throttle),
    captcha: options.captcha ? createCaptcha({ ...options.captcha, log }) : null,
    throttleCaptcha: throttle('captcha', options.captchaThrottle),
    gate: world.gate,
    policy: () => world.state.policy,
    verdictOf: options.verdictOf ?? (async (visit) => builtInVerdict(visit)),
    isVerifiedBot: options.isVerifiedBot ?? (async () => false),
    browserFolder: fileURLToPath(new URL('fixtures/browser', import.meta.url)),
    probe: options.probe ?? (async () => {}),
    isStopping: () => state.isStopping,
    isDemo: options.isDemo ?? true,
    devices,
    throttleDevices: throttle('devices', options.devicesRate),
    isBench: options.isBench ?? true,
    library: options.library ?? null,
    demoSearch: options.demoSearch ?? (() => null),
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

  return {
    ...world,
    access,
    metrics,
    purgeDevices: devices.purge,
    app,
    request,
    post,
    lines,
    appState: state,
  };
}
