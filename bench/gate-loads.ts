import { CHALLENGE_BYTES } from '../assembly/layout.ts';
import { nowSecs } from '../server/base/ports.ts';
import { nodeDigest, systemClock, systemRandom } from '../server/base/system.ts';
import { issueChallenge } from '../server/pow/core/challenge.ts';
import { createKeyring, type Keyring } from '../server/pow/core/keyring.ts';
import { mintPassport } from '../server/pow/core/passport.ts';
import { createSealCheck } from './by-definition.ts';
import { answerOnce, type Load } from './load.ts';
import { flipTagBit } from './proofs.ts';

/** Ports of the servers that are asked. */
export type Servers = {
  /** One Koa function that seals a challenge and sets the same headers. */
  sealing: number;
  silent: number;
  logged: number;
  /** Its policy gates nothing. */
  ungated: number;
  /** Starts a bare Koa server whose answer has so many bytes. */
  bare(sizeBytes: number): Promise<number>;
  /** Starts the same with the gate in front, and no other part of the server. */
  gated(sizeBytes: number): Promise<number>;
};

// A small page or an answer of an API; our choice.
const ROUTE_BYTES = 1024;

type HttpLoad = Load & { baseline: string | null };

/**
 * What is asked of the servers, with the check of every answer. `secret` is the one they seal with.
 * A bare answer is as long as the first one of the server that it is held against.
 */
export async function gateLoads(secret: Uint8Array, servers: Servers): Promise<HttpLoad[]> {
  const keyring = createKeyring([{ kid: 1, secret }], nodeDigest);
  const { challenge, passport } = makePapers(keyring);

  const ask = get('/pow/challenge');
  const refused = post('/pow/passport', { challenge: flipTagBit(challenge), answer: '0' });
  const demo = get('/demo/', `Accept: application/json\r\nCookie: pow_passport=${passport}\r\n`);

  const sizeOf = async (request: Buffer) => (await answerOnce(servers.silent, request)).length;
  const bare = async (name: string, request: Buffer, sizeBytes: number): Promise<HttpLoad> => {
    const text = JSON.stringify('x'.repeat(sizeBytes - 2));
    const port = await servers.bare(sizeBytes);
    return { name, baseline: null, port, request, status: 200, isRight: (body) => body === text };
  };
  const bareGet = await bare('bare Koa, as long as a challenge', ask, await sizeOf(ask));
  const barePost = await bare('bare Koa, as long as a refusal', refused, await sizeOf(refused));

  const gatedPort = await servers.gated(ROUTE_BYTES);
  const shown = `Cookie: pow_passport=${passport}\r\n`;
  const text = JSON.stringify('x'.repeat(ROUTE_BYTES - 2));
  const route = (name: string, baseline: string | null, port: number, path: string): HttpLoad => ({
    name,
    baseline,
    port,
    request: get(path, shown),
    status: 200,
    isRight: (body) => body === text,
  });
  const bareRoute = route('bare Koa route of 1 kB', null, await servers.bare(ROUTE_BYTES), '/gated');

  const open: HttpLoad = {
    name: 'GET /demo/ as JSON, not gated',
    baseline: null,
    port: servers.ungated,
    request: demo,
    status: 200,
    isRight: (body) => JSON.parse(body).how === 'open',
  };
  return [
    bareGet,
    {
      name: 'one Koa function that seals, same headers',
      baseline: bareGet.name,
      port: servers.sealing,
      request: ask,
      status: 200,
      isRight: createChallengeCheck(secret),
    },
    {
      name: 'GET /pow/challenge, log off',
      baseline: bareGet.name,
      port: servers.silent,
      request: ask,
      status: 200,
      isRight: createChallengeCheck(secret),
    },
    {
      name: 'GET /pow/challenge, log to the null device',
      baseline: bareGet.name,
      port: servers.logged,
      request: ask,
      status: 200,
      isRight: createChallengeCheck(secret),
    },
    barePost,
    {
      name: 'POST /pow/passport, flipped tag bit, log off',
      baseline: barePost.name,
      port: servers.silent,
      request: refused,
      status: 403,
      isRight: (body) => JSON.parse(body).code === 'seal-invalid',
    },
    bareRoute,
    route('that route behind the gate, path not gated', bareRoute.name, gatedPort, '/open'),
    route('that route behind the gate, admitted by passport', bareRoute.name, gatedPort, '/gated'),
    open,
    {
      name: 'GET /demo/ as JSON, admitted by passport',
      baseline: open.name,
      port: servers.silent,
      request: demo,
      status: 200,
      isRight: (body) => JSON.parse(body).how === 'passport',
    },
  ];
}

/** A challenge, and the passport of this machine's own network for a solution at the bits that `/demo/` takes. */
function makePapers(keyring: Keyring): { challenge: string; passport: string } {
  const now = nowSecs(systemClock);
  const terms = { difficultyBits: 20, challengeTtlSecs: 60, passportTtlSecs: 1800 };
  const challenge = issueChallenge({ tier: 'public', terms, route: null }, now, systemRandom, keyring);
  const network = { v4: Uint8Array.of(127, 0, 0), v6: null };
  const passport = mintPassport(
    {
      kid: 1,
      tier: 0,
      difficultyBits: terms.difficultyBits,
      route: 0,
      issuedAtSecs: now,
      expiresAtSecs: now + terms.challengeTtlSecs,
      lifetimeSecs: terms.passportTtlSecs,
      isPerRequest: false,
      nonce: systemRandom.bytes(32),
    },
    network,
    now,
    1,
    keyring,
  );
  return { challenge, passport };
}

/** Sealed under `secret`, 20 bits, and never given before. */
function createChallengeCheck(secret: Uint8Array): (body: string) => boolean {
  const isSealed = createSealCheck(secret, 'gatehouse pow challenge v1', CHALLENGE_BYTES);
  const given = new Set<string>();
  return (body) => {
    const { challenge, difficulty_bits } = JSON.parse(body);
    const isNew = !given.has(challenge);
    given.add(challenge);
    return isNew && difficulty_bits === 20 && isSealed(challenge);
  };
}

// Who sends no User-Agent is a bot at the gate, and pays more.
const AGENT = 'User-Agent: gatehouse-bench\r\n';

const get = (path: string, headers = '') =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${AGENT}${headers}\r\n`);

function post(path: string, json: object): Buffer {
  const body = JSON.stringify(json);
  const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return Buffer.from(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${AGENT}${headers}\r\n${body}`);
}
