import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openDemoSite } from '../../server/demo-site.ts';
import { readLibrary } from '../../server/docs/library.ts';
import { createExtractPage } from '../../server/search/extract-page.ts';
import { createTestSearch } from '../test-search.ts';

const SITE = '0a000000-0000-4000-8000-000000000001';
const library = readLibrary(fileURLToPath(new URL('../../', import.meta.url)));

function open(pages = library) {
  const world = createTestSearch({ library });
  const lines: string[] = [];
  const log = {
    info: (_: object, message: string) => void lines.push(message),
    warn() {},
    error: (_: object, message: string) => void lines.push(message),
  };
  const demo = (shown = pages) =>
    openDemoSite({
      siteId: SITE,
      search: world.search,
      extractPage: createExtractPage('GatehouseBot'),
      library: shown,
      log,
    });
  const fill = async (shown = pages, origin = 'http://localhost:8080/') => {
    const opened = demo(shown);
    opened.start(origin);
    await opened.stop();
    return opened;
  };
  const find = (query: string) => world.find({ siteId: SITE, siteSecret: '' }, query);
  return { ...world, demo, fill, find, lines };
}

test('the documentation is found, labelled, at the address where it is served', async () => {
  const { demo, fill, find } = open();
  assert.equal(demo().demoSiteId(), null);
  const opened = await fill();
  assert.equal(opened.demoSiteId(), SITE);
  const { results } = await find('passport');
  assert.ok(results.length > 0);
  const gate = results.find(({ urlRaw }: { urlRaw: string }) => urlRaw === 'http://localhost:8080/docs/gate');
  assert.deepEqual(gate?.labels, ['Gate']);
  assert.doesNotMatch(gate?.title, /#/);
});

test('a start after a move or a change leaves no page of before', async () => {
  const { fill, search } = open();
  await fill();
  await fill({ ...library, pages: library.pages.slice(0, 3) }, 'http://localhost:9090/');
  const urls = (await search.listPages(search.find(SITE), null, 100)).map(({ url }) => url);
  assert.equal(urls.length, 3);
  assert.ok(urls.every((url) => url.startsWith('http://localhost:9090/docs/')));
});

test('one that was deleted is made again', async () => {
  const { fill, search, demo } = open();
  await fill();
  await search.drop(SITE);
  assert.equal(demo().demoSiteId(), null);
  assert.equal((await fill()).demoSiteId(), SITE);
});

test('a store that fails is told, and the server goes on', async () => {
  const { lines, search, demo } = open();
  search.write = async () => {
    throw new Error('disk');
  };
  const opened = demo();
  opened.start('http://localhost/');
  await opened.stop();
  assert.deepEqual(lines, ['the demo site could not be filled']);
});

test('the home page is told which site it may search', async () => {
  const shown = createTestSearch({ demoSiteId: () => SITE });
  assert.equal((await shown.request('/')).statusCode, 200);
});
