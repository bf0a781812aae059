import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { encodeBase64url } from '../server/base/base64url.ts';
import { nowSecs } from '../server/base/ports.ts';
import { nodeDigest, systemClock, systemRandom } from '../server/base/system.ts';
import { issueChallenge } from '../server/pow/core/challenge.ts';
import { createKeyring } from '../server/pow/core/keyring.ts';

/**
 * The least that Koa can do for a challenge: one function that seals it and sets the headers that the real server sets.
 * What lies between this and a bare answer is the work; what lies between this and the server is its order: router,
 * schemas, faults, log. Run as `node bench/sealing-koa.ts <secret in base64>`.
 */
const keyring = createKeyring([{ kid: 1, secret: Buffer.from(process.argv[2], 'base64') }], nodeDigest);
const terms = { difficultyBits: 20, challengeTtlSecs: 60, passportTtlSecs: 1800 };

const app = new Koa();
app.use(async function answer(ctx) {
  ctx.set({
    'X-Request-Id': encodeBase64url(systemRandom.bytes(12)),
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Origin',
    'Cache-Control': 'no-store',
  });
  ctx.body = {
    challenge: issueChallenge(
      { tier: 'public', terms, route: null },
      nowSecs(systemClock),
      systemRandom,
      keyring,
    ),
    difficulty_bits: terms.difficultyBits,
    expires_in_secs: terms.challengeTtlSecs,
    tier: 'public',
    expected_tries: 2 ** terms.difficultyBits,
  };
});
const server = app.listen(0, '127.0.0.1', () => {
  console.error(`sealing Koa at http://localhost:${(server.address() as AddressInfo).port}/`);
});
