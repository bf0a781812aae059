import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributionsOf, factsOf, markOf, verdictOf } from '../../../browser/pages/lookup-view.ts';
import { addressOf } from '../../../server/ip/service.ts';
import { createTestIntelligence } from '../../test-intelligence.ts';

const intelligence = createTestIntelligence();
const inspect = (ip: string, subject: 'caller' | 'query' = 'query') =>
  intelligence.inspect({ address: addressOf(ip), headers: null, email: null }, false, {
    method: 'GET',
    httpVersion: '1.1',
    scheme: 'http',
    host: null,
    uri: '/',
    query: {},
    subject,
  });

test('a place is written from the small to the large, with its network and provider', () => {
  assert.deepEqual(factsOf(inspect('84.1.2.3')), [
    { name: 'Address', value: '84.1.2.3' },
    { name: 'Place', value: 'Bonn, North Rhine-Westphalia, Germany' },
    { name: 'Network', value: '84.1.0.0/16' },
    { name: 'Provider', value: 'Deutsche Telekom AG (AS3320)' },
    { name: 'Time zone', value: 'Europe/Berlin' },
  ]);
});

test('what is not known is called so, and a special-purpose address has no place', () => {
  assert.deepEqual(
    factsOf(inspect('9.9.9.9')).map(({ value }) => value),
    ['9.9.9.9', 'unknown', 'unknown', 'unknown', 'unknown'],
  );
  assert.deepEqual(factsOf(inspect('10.1.2.3')), [
    { name: 'Address', value: '10.1.2.3' },
    { name: 'Kind', value: 'special purpose: private' },
    { name: 'Network', value: '10.0.0.0/8' },
  ]);
  assert.equal(factsOf(inspect('64:ff9b::5401:203'))[0].value, '64:ff9b::5401:203 (84.1.2.3 inside)');
});

test('the mark stands where the place is, and is left out where the map does not show it', () => {
  const mark = markOf(inspect('84.1.2.3'));
  assert.ok(mark && Math.abs(mark.left - 51.98) < 0.01 && Math.abs(mark.top - 23.45) < 0.01);
  assert.equal(markOf(inspect('10.1.2.3')), null);
  const south = inspect('84.1.2.3');
  south.whois.latitude = -77.85;
  assert.equal(markOf(south), null, 'Antarctica is not drawn');
});

test('the verdict says how far it goes', () => {
  assert.equal(verdictOf(inspect('5.9.1.1')), 'Risk 0.20 of 1, from the address alone: accept.');
  assert.equal(verdictOf(inspect('84.1.2.3', 'caller')), 'Risk 0.00 of 1: accept.');
});

test('who is owed a word is named once', () => {
  const inspection = inspect('84.1.2.3');
  inspection.whois.dataSources = [...inspection.whois.dataSources, ...inspection.whois.dataSources];
  assert.equal(attributionsOf(inspection), 'nobody. Data of 2026-06-05 and later.');
});
