import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  isTooSlow,
  MEASURED_AFTER_MS,
  offerHref,
  PATIENCE_SECS,
} from '../../../browser/pages/captcha-offer.ts';
import { etaSecs } from '../../../browser/solver/odds.ts';
import { readReturnPath } from '../../../server/http/return-path.ts';

const at = (elapsedMs: number, bits: number, ratePerSec: number, waitedMs = elapsedMs) =>
  isTooSlow({ elapsedMs, etaSecs: etaSecs(bits, ratePerSec) }, waitedMs);

describe('a CAPTCHA is offered', () => {
  test('where the measured rate foresees more than the patience', () => {
    assert.equal(at(MEASURED_AFTER_MS, 32, 18e6), true, 'one fast worker, 32 bits: four minutes');
    assert.equal(
      at(MEASURED_AFTER_MS, 20, 5e3),
      true,
      'an old phone in JavaScript, 20 bits: three and a half',
    );
    assert.equal(at(MEASURED_AFTER_MS, 20, 2 ** 20 / (PATIENCE_SECS + 1)), true, 'just beyond');
  });

  test('not where it will be over soon', () => {
    assert.equal(at(MEASURED_AFTER_MS, 20, 1e6), false);
    assert.equal(at(MEASURED_AFTER_MS, 20, 2 ** 20 / PATIENCE_SECS), false, 'just at the limit');
    assert.equal(at(59_000, 24, 18e6), false);
  });

  test('not before the rate is known', () => {
    assert.equal(at(MEASURED_AFTER_MS - 1, 32, 1e3), false);
    assert.equal(at(0, 32, 0), false);
  });

  test('where the rate says nothing for seconds', () => {
    assert.equal(at(MEASURED_AFTER_MS, 20, 0), true);
  });

  test('to who had bad luck for a minute, over several puzzles', () => {
    assert.equal(at(100, 20, 1e6, PATIENCE_SECS * 1000), true);
    assert.equal(at(100, 20, 1e6, PATIENCE_SECS * 1000 - 1), false);
  });
});

describe('the link', () => {
  const place = (path: string) => new URL(path, 'https://site.example') as unknown as Location;
  const returnOf = (href: string) => new URL(href, 'https://site.example').searchParams.get('return_to');

  test('leads back to the address that the browser shows, with its fragment', () => {
    const href = offerHref('/pow/captcha?route=page&return_to=%2Fother', place('/demo/?a=b%26c#d e'), false);
    assert.equal(returnOf(href), '/demo/?a=b%26c#d%20e');
    assert.equal(new URL(href, 'https://site.example').searchParams.get('route'), 'page');
    assert.equal(readReturnPath(String(returnOf(href))), '/demo/?a=b%26c#d%20e');
  });

  test('leads nowhere where a form was held, or the address is too long', () => {
    assert.equal(offerHref('/pow/captcha?route=page', place('/demo/'), true), '/pow/captcha?route=page');
    assert.equal(offerHref('/pow/captcha', place('/demo/'), true), '/pow/captcha');
    assert.equal(offerHref('/pow/captcha', place(`/${'a'.repeat(5_000)}`), false), '/pow/captcha');
  });
});
