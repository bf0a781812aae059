import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passportEndMs, readAdmission } from '../../../browser/pages/admission.ts';
import { readGateFacts } from '../../../browser/pages/gate-facts.ts';

const facts = {
  route: 'demo',
  mode: 'passport',
  method: 'GET',
  difficulty_bits: 20,
  challenge: { challenge: 'A'.repeat(115), difficulty_bits: 20, expires_in_secs: 60, tier: 'public' },
  request_id: 'r1',
};
const admission = {
  how: 'passport' as const,
  difficulty_bits: 20,
  tier: 'public',
  issued_at: 1_700_000_000,
  expires_at: 1_700_001_800,
  network: '127.0.0.0/24',
  now: 1_700_000_000,
};

test('what the server writes is read as it is', () => {
  assert.deepEqual(readGateFacts(JSON.stringify(facts)), facts);
  assert.deepEqual(readAdmission(JSON.stringify(admission)), admission);
});

test('a page that no server filled in has no facts', () => {
  for (const text of [undefined, '', '__GATE__', 'null', '7', '[]', '{}', '{"challenge":null}']) {
    assert.equal(readGateFacts(text), null, text);
    assert.equal(readAdmission(text), null, text);
  }
});

test('the end of the passport is told in the clock of the device', () => {
  const tenMinutesFastMs = 1_700_000_600_000;
  assert.equal(passportEndMs(admission, tenMinutesFastMs), tenMinutesFastMs + 1_800_000);
  assert.equal(passportEndMs({ ...admission, expires_at: null }, tenMinutesFastMs), null);
});
