import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as at from '../../../../assembly/layout.ts';
import type { Digest } from '../../../../server/base/ports.ts';
import { nodeDigest } from '../../../../server/base/system.ts';
import { createKeyring } from '../../../../server/pow/core/keyring.ts';
import { packChallenge, packPassport } from '../../../../server/wire/envelope.ts';
import { keyOf, ringOf } from '../../../test-gate.ts';

const head = {
  kid: 1,
  tier: 0,
  difficultyBits: 20,
  route: 0,
  issuedAtSecs: 1,
  expiresAtSecs: 2,
  lifetimeSecs: 3,
};
const fields = { ...head, isPerRequest: false };
const challenge = packChallenge({ ...fields, nonce: new Uint8Array(32).fill(9) });
const passport = packPassport({ ...head, challengeId: new Uint8Array(8), network: { v4: null, v6: null } });

test('an envelope grows by its tag and holds', () => {
  const ring = ringOf(1);
  const envelope = ring.seal(challenge);
  assert.equal(envelope.length, at.CHALLENGE_BYTES);
  assert.equal(ring.seal(passport).length, at.PASSPORT_BYTES);
  assert.equal(ring.isSealed(envelope, at.KIND_CHALLENGE), true);
  assert.equal(ring.isSealed(ring.seal(passport), at.KIND_PASSPORT), true);
});

test('a seal is the one that OpenSSL gives, with either HMAC', () => {
  const openssl: Digest = {
    ...nodeDigest,
    hmacSha256:
      (key) =>
      (data, length = data.length) =>
        createHmac('sha256', key).update(data.subarray(0, length)).digest(),
  };
  for (let draw = 0; draw < 500; draw++) {
    const keys = [{ kid: 1, secret: randomBytes(32 + (draw % 64)) }];
    const [own, other] = [createKeyring(keys, nodeDigest), createKeyring(keys, openssl)];
    for (const packed of [packChallenge({ ...fields, nonce: randomBytes(32) }), passport]) {
      const envelope = own.seal(packed);
      assert.deepEqual(envelope, other.seal(packed));
      assert.equal(other.isSealed(envelope, packed[at.KIND_AT]), true);
    }
  }
});

test('a keyring shows nothing of its keys to a log', () => {
  const ring = ringOf(1, 2);
  assert.equal(JSON.stringify(ring), '{"signingKid":1}');
  assert.doesNotMatch(
    inspect(ring, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    /Array|Buffer|KeyObject/,
  );
});

test('each flipped bit of either kind breaks the seal', () => {
  const ring = ringOf(1, 2);
  for (const [packed, kind] of [
    [challenge, at.KIND_CHALLENGE],
    [passport, at.KIND_PASSPORT],
  ] as const) {
    const envelope = ring.seal(packed);
    for (let bit = 0; bit < envelope.length * 8; bit++) {
      const changed = envelope.slice();
      changed[bit >> 3] ^= 1 << (bit & 7);
      assert.equal(ring.isSealed(changed, kind), false, `bit ${bit} of kind ${kind}`);
    }
  }
});

test('a challenge is no passport even where its kind byte says so and the length fits', () => {
  const ring = ringOf(1);
  // A 71-byte envelope sealed as a challenge: what an attacker could hope to have sealed for him.
  const fake = passport.slice();
  fake[at.KIND_AT] = at.KIND_CHALLENGE;
  const sealed = ring.seal(fake);
  sealed[at.KIND_AT] = at.KIND_PASSPORT;
  assert.equal(ring.isSealed(sealed, at.KIND_PASSPORT), false);
});

test('a rotated key still opens, a retired one does not', () => {
  const old = ringOf(1).seal(challenge);
  assert.equal(ringOf(2, 1).signingKid, 2);
  assert.equal(ringOf(2, 1).isSealed(old, at.KIND_CHALLENGE), true);
  assert.equal(ringOf(2).isSealed(old, at.KIND_CHALLENGE), false);
});

test('the same kid with another secret does not open', () => {
  const other = createKeyring([{ kid: 1, secret: new Uint8Array(32).fill(77) }], nodeDigest);
  assert.equal(other.isSealed(ringOf(1).seal(challenge), at.KIND_CHALLENGE), false);
});

test('a ring that cannot be right is refused', () => {
  assert.throws(() => createKeyring([], nodeDigest), /at least one key/);
  assert.throws(() => ringOf(1, 1), /kid 1 stands twice/);
  assert.throws(
    () => createKeyring([{ kid: 256, secret: new Uint8Array(32) }], nodeDigest),
    /expected 0..255, got 256/,
  );
  assert.throws(
    () => createKeyring([{ ...keyOf(1), secret: new Uint8Array(31) }], nodeDigest),
    /expected 32 bytes or more, got 31/,
  );
  assert.throws(() => ringOf(2).seal(challenge), /kid 1 is not of this ring/);
});
