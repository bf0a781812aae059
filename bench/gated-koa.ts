import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { createAddressSet } from '../server/base/address-set.ts';
import { nodeDigest, systemClock, systemRandom } from '../server/base/system.ts';
import { createIdentify } from '../server/http/identify.ts';
import type { RequestState } from '../server/http/request-state.ts';
import { createKeyring } from '../server/pow/core/keyring.ts';
import type { Policy, Route } from '../server/pow/core/policy.ts';
import { builtInVerdict } from '../server/pow/core/verdict.ts';
import { createGateMiddleware } from '../server/pow/gate.ts';
import { readPolicy } from '../server/pow/policy-file.ts';
import { createGate } from '../server/pow/service.ts';

/**
 * A Koa route of one JSON string with the gate in front and nothing else: `/gated` takes a passport, any other path
 * nothing. Run as `node bench/gated-koa.ts <secret in base64> <bytes>`.
 */
const [secret, sizeBytes] = process.argv.slice(2);
const text = JSON.stringify('x'.repeat(Number(sizeBytes) - 2));
const terms = { difficultyBits: 20, challengeTtlSecs: 60, passportTtlSecs: 1800 };
const none = createAddressSet([]);
const route: Route = {
  id: 'bench',
  tag: 1,
  paths: [['gated']],
  methods: null,
  terms,
  isDryRun: false,
  exempt: { paths: [], networks: none, userAgents: [], keys: [], verifiedBots: [] },
};
const policy: Policy = { ...readPolicy({ routes: [] }, nodeDigest), routes: [route] };
const keyring = createKeyring([{ kid: 1, secret: Buffer.from(secret, 'base64') }], nodeDigest);
const refuse = () => {
  throw new Error('the benchmark shows passports only');
};
const gate = createGate({
  policy: () => policy,
  keyring: () => keyring,
  spent: { spend: refuse, purge: refuse },
  clock: systemClock,
  random: systemRandom,
  digest: nodeDigest,
});

const app = new Koa<RequestState>();
app.use(createIdentify(none, systemRandom));
app.use(
  createGateMiddleware({
    gate,
    policy: () => policy,
    keyIdOf: async () => null,
    verdictOf: builtInVerdict,
    isVerifiedBot: async () => false,
    log: { info: refuse, error: refuse, warn: refuse },
    verifyingPage: refuse,
    offersCaptcha: false,
    readBody: refuse,
    bodyLimitBytes: 0,
  }),
);
app.use(async function answer(ctx) {
  ctx.body = text;
});
const server = app.listen(0, '127.0.0.1', () => {
  console.error(`gated Koa at http://localhost:${(server.address() as AddressInfo).port}/`);
});
