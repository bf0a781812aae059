import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { CHALLENGE_BYTES, PASSPORT_BYTES } from '../assembly/layout.ts';
import { createAddressSet } from '../server/base/address-set.ts';
import { Fault } from '../server/base/fault.ts';
import { prepareHmacSha256 } from '../server/base/sha256.ts';
import { nodeDigest, systemRandom } from '../server/base/system.ts';
import { checkProof, issueChallenge } from '../server/pow/core/challenge.ts';
import { createKeyring } from '../server/pow/core/keyring.ts';
import { mintPassport, openPassport, refusePassport } from '../server/pow/core/passport.ts';
import type { Route } from '../server/pow/core/policy.ts';
import { createSealCheck, hmacByDefinition } from './by-definition.ts';
import { type Operation, operation } from './operation.ts';
import { flipTagBit, solve, solveWrongly } from './proofs.ts';

const PREPARED = 'HMAC of 54 bytes, key object prepared once';
// Of many inputs, so that no branch and no cache learns one of them.
const INPUTS = 256;
// The check of a proof costs the same at 20 bits; 8 are found in a moment.
const BITS = 8;
const NOW_SECS = 1_800_000_000;
const NETWORK = { v4: Uint8Array.of(192, 0, 2), v6: null };
const ROUTE: Route = {
  id: 'bench',
  tag: 0,
  paths: [],
  methods: null,
  terms: { difficultyBits: BITS, challengeTtlSecs: 60, passportTtlSecs: 1800 },
  isDryRun: false,
  exempt: { paths: [], networks: createAddressSet([]), userAgents: [], keys: [], verifiedBots: [] },
};

/**
 * The pure operations of the gate beside one HMAC of node:crypto, as a program would write it. Nothing of HTTP or the store
 * is in it; `gate-http` measures those.
 */
export function gateCoreOperations(): Operation[] {
  const secret = randomBytes(32);
  const keyring = createKeyring([{ kid: 1, secret }], nodeDigest);
  const issue = () =>
    issueChallenge({ tier: 'public', terms: ROUTE.terms, route: null }, NOW_SECS, systemRandom, keyring);
  const check = (proof: { challenge: string; answer: string }) =>
    checkProof(proof, { for: 'passport' }, NOW_SECS, keyring, nodeDigest);

  const isChallenge = createSealCheck(secret, 'gatehouse pow challenge v1', CHALLENGE_BYTES);
  const isPassport = createSealCheck(secret, 'gatehouse pow passport v1', PASSPORT_BYTES);

  const messages = Array.from({ length: INPUTS }, () => randomBytes(54));
  const rawKey = randomBytes(32);
  const preparedKey = createSecretKey(rawKey);
  const ownMac = prepareHmacSha256(rawKey);
  // RFC 2104 by its definition, so that not one and the same call is held against itself.
  const tags = messages.map((message) => hmacByDefinition(rawKey, message));
  const isTag = (tag: Buffer, i: number) => tag.equals(tags[i % INPUTS]);

  const solved = Array.from({ length: INPUTS }, () => solve(issue()));
  const flipped = solved.map(({ challenge, answer }) => ({ challenge: flipTagBit(challenge), answer }));
  const unsolved = solved.map(({ challenge }) => solveWrongly(challenge));
  const junk = solved.map(() => ({ challenge: `${randomBytes(85).toString('base64url')}=`, answer: '0' }));
  const proofs = solved.map(check);
  const passports = proofs.map(({ challenge }) => mintPassport(challenge, NETWORK, NOW_SECS, 1, keyring));
  const checkpoint = { route: ROUTE, leastBits: BITS, network: NETWORK, nowSecs: NOW_SECS + 60 };

  const reject = (name: string, inputs: typeof solved, code: string) =>
    operation({
      name: `reject ${name}`,
      baseline: PREPARED,
      operate: (i) => {
        try {
          return check(inputs[i % INPUTS]);
        } catch (error) {
          return error;
        }
      },
      isRight: (refusal) => refusal instanceof Fault && refusal.code === code,
    });

  return [
    operation({
      name: PREPARED,
      baseline: null,
      operate: (i) =>
        createHmac('sha256', preparedKey)
          .update(messages[i % INPUTS])
          .digest(),
      isRight: isTag,
    }),
    operation({
      name: 'HMAC of 54 bytes, raw key buffer',
      baseline: PREPARED,
      operate: (i) =>
        createHmac('sha256', rawKey)
          .update(messages[i % INPUTS])
          .digest(),
      isRight: isTag,
    }),
    operation({
      name: 'HMAC of 54 bytes, our own',
      baseline: PREPARED,
      operate: (i) => ownMac(messages[i % INPUTS]),
      isRight: (tag, i) => isTag(Buffer.from(tag), i),
    }),
    operation({
      name: 'seal a challenge',
      baseline: PREPARED,
      operate: issue,
      isRight: (text) => isChallenge(text),
    }),
    operation({
      name: 'verify a right solution',
      baseline: PREPARED,
      operate: (i) => check(solved[i % INPUTS]),
      isRight: ({ answer, challenge }, i) =>
        answer === solved[i % INPUTS].answer && challenge.difficultyBits === BITS,
    }),
    reject('a flipped tag bit', flipped, 'seal-invalid'),
    reject('a wrong answer', unsolved, 'insufficient-work'),
    reject('junk text', junk, 'malformed-challenge'),
    operation({
      name: 'mint a passport',
      baseline: PREPARED,
      operate: (i) => mintPassport(proofs[i % INPUTS].challenge, NETWORK, NOW_SECS, 1, keyring),
      isRight: (text, i) => text === passports[i % INPUTS] && isPassport(text),
    }),
    operation({
      name: 'open and check a passport',
      baseline: PREPARED,
      operate: (i) => {
        const passport = openPassport(passports[i % INPUTS], keyring);
        return { passport, refusal: refusePassport(passport, checkpoint) };
      },
      isRight: ({ passport, refusal }, i) =>
        refusal === null &&
        passport?.expiresAtSecs === NOW_SECS + 1800 &&
        passport.challengeId[0] === proofs[i % INPUTS].challenge.nonce[0],
    }),
  ];
}
