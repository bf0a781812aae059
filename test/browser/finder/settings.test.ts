import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSettings } from '../../../browser/finder/settings.ts';

const SITE = '0b5b4b0e-6a3c-4f0e-9a44-0123456789ab';
const OTHER = 'ffffffff-6a3c-4f0e-9a44-0123456789ab';

const read = (attributes: Record<string, string>, cookie = '') =>
  readSettings(
    Object.entries(attributes).map(([name, value]) => ({ name, value })),
    { cookie, scriptOrigin: 'https://gate.example', pageUrl: 'https://site.example/a/b' },
  );

test('all attributes, as HTML writes them', () => {
  assert.deepEqual(
    read({
      'data-siteid': ` ${SITE} `,
      'data-append-as-child-to': '#here',
      'data-search-style': 'color: red',
      'data-results-style': 'color: blue',
      'data-analyticstrackingid': 'G-1',
      'data-api': 'https://other.example/ignored',
      'data-lang': 'de',
      'data-theme': 'dark',
      class: 'else',
    }),
    {
      siteId: SITE,
      api: 'https://other.example',
      parent: '#here',
      searchStyle: 'color: red',
      resultsStyle: 'color: blue',
      trackingId: 'G-1',
      language: 'de',
      theme: 'dark',
    },
  );
});

test('names as they are told, and as dataset writes them, mean the same', () => {
  assert.equal(read({ 'data-siteId': SITE }).siteId, SITE);
  const { siteId, trackingId } = read({ 'data-site-id': SITE, 'data-analytics-tracking-id': 'G-1' });
  assert.deepEqual([siteId, trackingId], [SITE, 'G-1']);
});

test('what is not said: the server of the script, and no analytics', () => {
  const { api, parent, searchStyle, trackingId, language, theme } = read({
    'data-siteid': SITE,
    'data-api': '',
  });
  assert.deepEqual(
    [api, parent, searchStyle, trackingId, language, theme],
    ['https://gate.example', null, '', null, null, null],
  );
  assert.equal(read({ 'data-siteid': SITE, 'data-api': '/' }).api, 'https://site.example');
});

test('without a site, or with an address that is none, there is nothing to search', () => {
  assert.throws(() => read({}), /data-siteId is missing/);
  assert.throws(() => read({ 'data-siteid': ' ' }), /data-siteId is missing/);
  assert.throws(() => read({ 'data-siteid': SITE, 'data-api': 'http://[' }));
});

describe('the cookie override-site', () => {
  for (const [cookie, siteId] of [
    [`override-site=${OTHER}`, OTHER],
    [`a=b; override-site=${OTHER}; c=d`, OTHER],
    [`override-site="${OTHER}"`, OTHER],
    [`override-site=junk; override-site=${OTHER}`, OTHER],
    [`xoverride-site=${OTHER}`, SITE],
    [`a=override-site=${OTHER}`, SITE],
    [`override-site=${OTHER}0`, SITE],
    ['override-site=../../admin', SITE],
    ['override-site=', SITE],
  ] as const) {
    test(JSON.stringify(cookie), () => assert.equal(read({ 'data-siteid': SITE }, cookie).siteId, siteId));
  }
});
