import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportQuery } from '../../../browser/finder/analytics.ts';

const PAGE = 'https://site.example/docs/?lang=de#part';
const WITH_QUERY = 'https://site.example/docs/?lang=de&query=a+%26+b';
const view = {
  page_location: WITH_QUERY,
  page_path: '/docs/?lang=de&query=a+%26+b',
  send_to: 'G-1',
};

test('gtag is told of a page view, and the queue behind it of nothing more', () => {
  const heard: unknown[][] = [];
  const dataLayer: unknown[] = [];
  reportQuery({ gtag: (...told: unknown[]) => heard.push(told), dataLayer }, PAGE, 'a & b', 'G-1');
  assert.deepEqual(heard, [['event', 'page_view', view]]);
  assert.deepEqual(dataLayer, []);
});

test('a tag manager without gtag finds it in its queue', () => {
  const dataLayer: unknown[] = [];
  reportQuery({ dataLayer }, PAGE, 'a & b', 'G-1');
  assert.deepEqual(dataLayer, [{ event: 'page_view', ...view }]);
});

test('Matomo is told, and has the page’s own address again afterwards', () => {
  const _paq: unknown[] = [];
  reportQuery({ _paq }, PAGE, 'a & b', '1');
  assert.deepEqual(_paq, [['setCustomUrl', WITH_QUERY], ['trackPageView'], ['setCustomUrl', PAGE]]);
});

test('a query in the address of the page gives way', () => {
  const _paq: string[][] = [];
  reportQuery({ _paq }, 'https://site.example/?query=old', 'new', '1');
  assert.equal(_paq[0][1], 'https://site.example/?query=new');
});

test('a page without analytics, or with something else of those names, is left alone', () => {
  reportQuery({}, PAGE, 'a', '1');
  reportQuery({ gtag: null, dataLayer: {}, _paq: 'x' }, PAGE, 'a', '1');
});
