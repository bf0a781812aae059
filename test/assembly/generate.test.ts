import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { GENERATED } from '../../assembly/generate.ts';
import { INITIAL_STATE, ROUND_CONSTANTS } from '../../assembly/round-constants.ts';

for (const { path, text } of GENERATED) {
  test(`${path} is what the generator writes (npm run build:wasm brings it up to date)`, () => {
    assert.equal(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'), text);
  });
}

test('the constants are the roots of primes that FIPS 180-4 §4.2.2 and §5.3.3 define', () => {
  assert.deepEqual(
    ROUND_CONSTANTS,
    primes(64).map((prime) => fractionBits(Math.cbrt(prime))),
  );
  assert.deepEqual(
    INITIAL_STATE,
    primes(8).map((prime) => fractionBits(Math.sqrt(prime))),
  );
});

test('the check of the constants notices one flipped bit', () => {
  const planted = ROUND_CONSTANTS.with(40, ROUND_CONSTANTS[40] ^ 1);
  assert.notDeepEqual(
    planted,
    primes(64).map((prime) => fractionBits(Math.cbrt(prime))),
  );
});

test('node:crypto, the oracle of the solver tests, is SHA-256 as in FIPS 180-4', () => {
  const digest = createHash('sha256').update('abc').digest('hex');
  assert.equal(digest, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/** The first 32 bits of the fractional part; a double has some ten bits to spare here. */
function fractionBits(root: number): number {
  return Math.floor((root % 1) * 2 ** 32);
}
