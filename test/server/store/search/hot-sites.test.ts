import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEnvironment } from '../../../../server/store/environment.ts';
import { createHotSites } from '../../../../server/store/search/hot-sites.ts';
import { makePage } from '../../../index-pages.ts';
import { openIndex } from '../../../open-index.ts';
import { makeFolder } from '../../../temporary-folder.ts';

const MANY = 1_000_000;
const SITES = 40;

test('what is remembered of many sites stays within its budget, and one site may fill most of it', async () => {
  const { folder, remove } = makeFolder();
  const { index, close } = await openIndex({ folder });
  for (let site = 0; site < SITES; site++) {
    const pages = Array.from({ length: 20 }, (_, n) =>
      makePage(`p${n}`, { body: Array.from({ length: 50 }, (_, k) => `s${site}w${n * k}`).join(' ') }),
    );
    await index.put(`site${site}`, pages, MANY);
  }
  await close();
  const environment = await openEnvironment(folder);
  const table = environment.bytes('search');
  const use = (hot: ReturnType<typeof createHotSites>, site: number) => {
    const view = hot.open(site);
    for (let i = 0; i < view.firsts.length; i++)
      for (const number of view.chunk(i).numbers) view.postings(number);
  };

  const plenty = createHotSites(table, Number.POSITIVE_INFINITY);
  for (let site = 1; site <= SITES; site++) use(plenty, site);
  plenty.open(SITES);
  const all = plenty.sizeBytes();
  const each = all / SITES;

  const hot = createHotSites(table, each * 10);
  for (let site = 1; site <= SITES; site++) {
    use(hot, site);
    assert.ok(hot.sizeBytes() <= each * 10, `${hot.sizeBytes()} of ${each * 10}`);
  }
  // Nine or so of forty are there, not one alone.
  hot.open(SITES);
  assert.ok(hot.sizeBytes() > each * 5, `${hot.sizeBytes()} of ${each * 10}`);

  // With no budget at all a site still answers.
  const none = createHotSites(table, 0);
  use(none, 1);
  assert.equal(none.open(1).numberOf('s0w7') >= 0, true);
  await environment.close();
  remove();
});
