import { canonicalText } from '../server/base/address.ts';
import { nodeDigest } from '../server/base/system.ts';
import { readPlace } from '../server/ip/core/place.ts';
import type { IpData } from '../server/ip/core/ports.ts';
import { createGazetteer } from '../server/ip/data/gazetteer.ts';
import { readNetworkList } from '../server/ip/data/network-list.ts';
import { createIntelligence, type Intelligence } from '../server/ip/service.ts';
import { isDeclaredBot, isDisposable } from '../server/ip/visitors.ts';

const BONN = {
  city: 'Bonn',
  country_code: 'DE',
  latitude: 50.7076,
  longitude: 7.1278,
  postcode: '',
  state1: 'North Rhine-Westphalia',
  state2: '',
  timezone: '',
};

/** A world of two networks: a household's in Bonn (any 84.…) and a hosting company's in Germany (any 5.9.…). */
export const testIpData: IpData = {
  placeOf(address) {
    const place = /^(84|5\.9)\./.test(canonicalText(address)) ? readPlace(BONN) : null;
    return place && { place, prefixBits: 16 };
  },
  providerOf(address) {
    const text = canonicalText(address);
    if (text.startsWith('5.9.')) return { number: 24940, org: 'Hetzner Online GmbH', prefixBits: 16 };
    return text.startsWith('84.') ? { number: 3320, org: 'Deutsche Telekom AG', prefixBits: 12 } : null;
  },
  isListed: (() => {
    const tor = readNetworkList('84.66.6.6\n');
    return (kind, address) => (kind === 'tor' ? tor.covers(address) : null);
  })(),
  sources: [{ name: 'A test', licence: 'none', buildDate: '2026-06-05', attribution: 'nobody' }],
};

/** The real service on the data of a test. */
export const createTestIntelligence = (data: IpData = testIpData): Intelligence =>
  createIntelligence({
    data: () => data,
    gazetteer: createGazetteer(),
    isDeclaredBot,
    isDisposable,
    digest: nodeDigest,
  });
