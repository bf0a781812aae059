import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  packChallenge,
  packPassport,
  unpackChallenge,
  unpackPassport,
} from '../../../server/wire/envelope.ts';
import { fromHex, toHex } from '../../vectors/read.ts';

const head = {
  kid: 7,
  tier: 2,
  difficultyBits: 20,
  route: 0x01020304,
  issuedAtSecs: 0x6ab00000,
  expiresAtSecs: 0x6ab0003c,
  lifetimeSecs: 1_800,
};

// Written out by hand from the table of the design: version, kid, kind, tier, bits, flags, route, three times, rest.
test('a challenge has its bytes', () => {
  const nonce = new Uint8Array(32).fill(0xee);
  assert.equal(
    toHex(packChallenge({ ...head, isPerRequest: true, nonce })),
    `01070102140101020304${'6ab00000'}${'6ab0003c'}${'00000708'}${'ee'.repeat(32)}`,
  );
});

test('a passport has its bytes', () => {
  const network = { v4: fromHex('c00002'), v6: null };
  assert.equal(
    toHex(packPassport({ ...head, route: 0, challengeId: fromHex('0011223344556677'), network })),
    `01070202140200000000${'6ab00000'}${'6ab0003c'}${'00000708'}0011223344556677c00002${'00'.repeat(6)}`,
  );
});

const u32 = fc.integer({ min: 0, max: 0xffffffff });
const byte = fc.integer({ min: 0, max: 255 });
const anyHead = fc.record({
  kid: byte,
  tier: byte,
  difficultyBits: byte,
  route: u32,
  issuedAtSecs: u32,
  expiresAtSecs: u32,
  lifetimeSecs: u32,
});
const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

test('any challenge comes back as it was', () => {
  fc.assert(
    fc.property(anyHead, fc.boolean(), bytesOf(32), (fields, isPerRequest, nonce) => {
      const challenge = { ...fields, isPerRequest, nonce };
      assert.deepEqual(unpackChallenge(packChallenge(challenge)), challenge);
    }),
  );
});

test('a challenge that re-binds has its bytes: what it re-binds stands over the nonce', () => {
  const rebinding = {
    challengeId: fromHex('0011223344556677'),
    mintedAtSecs: 0x6aafff00,
    difficultyBits: 24,
    network: { v4: fromHex('c00002'), v6: fromHex('20010db80001') },
    askedBy: 'v6' as const,
  };
  const nonce = new Uint8Array(32).fill(0xee);
  assert.equal(
    toHex(packChallenge({ ...head, isPerRequest: false, nonce, rebinding })),
    `01070102140801020304${'6ab00000'}${'6ab0003c'}${'00000708'}00112233445566776aafff00180ec0000220010db80001${'ee'.repeat(9)}`,
  );
});

test('any re-binding comes back as it was', () => {
  const rebinding = fc.record({
    challengeId: bytesOf(8),
    mintedAtSecs: u32,
    difficultyBits: byte,
    network: fc.record({ v4: fc.option(bytesOf(3)), v6: fc.option(bytesOf(6)) }),
    askedBy: fc.constantFrom('v4' as const, 'v6' as const),
  });
  fc.assert(
    fc.property(anyHead, bytesOf(32), rebinding, (fields, nonce, own) => {
      const packed = packChallenge({ ...fields, isPerRequest: false, nonce, rebinding: own });
      const { rebinding: back, nonce: whole } = unpackChallenge(packed);
      assert.deepEqual(back, { ...own, network: { ...own.network } });
      // The solver hashes the nonce as it stands in the envelope.
      assert.deepEqual(whole, packed.slice(22));
      assert.deepEqual(whole.slice(23), nonce.slice(23));
    }),
  );
});

test('any passport comes back as it was, an unknown network as unknown', () => {
  const v4 = fc.option(bytesOf(3));
  const v6 = fc.option(bytesOf(6));
  fc.assert(
    fc.property(anyHead, bytesOf(8), v4, v6, (fields, challengeId, four, six) => {
      const passport = { ...fields, challengeId, network: { v4: four, v6: six } };
      assert.deepEqual(unpackPassport(packPassport(passport)), passport);
    }),
  );
});
