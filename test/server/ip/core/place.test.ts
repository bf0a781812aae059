import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlace, readProvider } from '../../../../server/ip/core/place.ts';

const NO_IDS = { continent: null, country: null, subdivision: null, city: null };

const LAYOUTS = {
  'nested names, as MaxMind and DB-IP write them': {
    continent: { code: 'EU', geoname_id: 6255148, names: { en: 'Europe' } },
    country: { iso_code: 'DE', geoname_id: 2921044, names: { en: 'Germany' } },
    registered_country: { iso_code: 'US', names: { en: 'United States' } },
    subdivisions: [{ iso_code: 'NW', geoname_id: 2861876, names: { en: 'North Rhine-Westphalia' } }],
    city: { geoname_id: 2946447, names: { en: 'Bonn', de: 'Bonn' } },
    location: { latitude: 50.7076, longitude: 7.1278, time_zone: 'Europe/Berlin' },
    postal: { code: '53113' },
  },
  'flat, as the npm packages write them': {
    city: 'Bonn',
    country_code: 'DE',
    latitude: 50.70759963989258,
    longitude: 7.127769947052002,
    postcode: '',
    state1: 'North Rhine-Westphalia',
    state2: '',
    timezone: '',
  },
  'flat texts, as IPinfo writes them': {
    city: 'Bonn',
    region: 'North Rhine-Westphalia',
    region_code: 'NW',
    country: 'DE',
    lat: '50.7076',
    lng: '7.1278',
    timezone: 'Europe/Berlin',
    postal_code: '53113',
  },
};

for (const [name, record] of Object.entries(LAYOUTS)) {
  test(`a place is read from a record that is ${name}`, () => {
    const place = readPlace(record);
    assert.equal(place?.countryIso, 'DE');
    assert.equal(place?.city, 'Bonn');
    assert.equal(place?.subdivision, 'North Rhine-Westphalia');
    assert.equal(place?.latitude, 50.7076);
    assert.equal(place?.longitude, 7.1278);
  });
}

test('what only one layout tells is read from it, and is null elsewhere', () => {
  const [nested, flat, texts] = Object.values(LAYOUTS).map(readPlace);
  assert.deepEqual(nested?.geonameIds, {
    continent: 6255148,
    country: 2921044,
    subdivision: 2861876,
    city: 2946447,
  });
  assert.equal(nested?.postalCode, '53113');
  assert.equal(nested?.subdivisionIso, 'NW');
  assert.equal(flat?.postalCode, null, 'an empty text is unknown');
  assert.equal(flat?.timeZone, null);
  assert.deepEqual(flat?.geonameIds, NO_IDS);
  assert.equal(texts?.timeZone, 'Europe/Berlin');
});

test('a record without a place is none, whatever else it is', () => {
  const empty = [null, undefined, 7, 'DE', [], {}, { country_code: 'ZZ' }, { country: {} }, { city: '' }];
  for (const record of empty) assert.equal(readPlace(record), null, JSON.stringify(record));
});

test('coordinates out of range, and the point where all unknown places lie, are unknown', () => {
  for (const [latitude, longitude] of [
    [91, 0],
    [0, 181],
    [0, 0],
    [Number.NaN, 1],
    ['x', 'y'],
  ]) {
    const place = readPlace({ country_code: 'DE', latitude, longitude });
    assert.deepEqual([place?.latitude, place?.longitude], [null, null], `${latitude} ${longitude}`);
  }
  assert.equal(readPlace({ country_code: 'GH', latitude: 0, longitude: -1.5 })?.latitude, 0);
});

test('the country of registration does not stand in for the country', () => {
  assert.equal(
    readPlace({ registered_country: { iso_code: 'US' }, continent: { code: 'EU' }, country: {} })?.countryIso,
    null,
  );
});

test('providers are read in each of the spellings', () => {
  const expected = { number: 3320, org: 'Deutsche Telekom AG' };
  assert.deepEqual(
    readProvider({ autonomous_system_number: 3320, autonomous_system_organization: 'Deutsche Telekom AG' }),
    expected,
  );
  assert.deepEqual(readProvider({ as_number: '3320', as_organization: 'Deutsche Telekom AG' }), expected);
  assert.deepEqual(readProvider({ asn: 'AS3320', as_name: 'Deutsche Telekom AG' }), expected);
  assert.deepEqual(readProvider({ asn: 'AS3320', as_name: '' }), { number: 3320, org: null });
  for (const record of [null, {}, { asn: '' }, { asn: 'AS' }, { as_number: -1 }, { as_number: 1.5 }]) {
    assert.equal(readProvider(record), null, JSON.stringify(record));
  }
});
