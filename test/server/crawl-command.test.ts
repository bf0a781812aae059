import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlRecord } from '../../server/crawl/core/ports.ts';
import { progressLine, summarise } from '../../server/crawl-command.ts';

const record = { listed: 200, queued: 100, fetched: 90, indexed: 80, pagesPerSecond: 2 } as CrawlRecord;
const text = '90 of 200 asked for, 80 taken, 2/s';

test('the progress fits its terminal, however narrow: the bar shrinks, then goes, then the text is cut', () => {
  assert.equal(progressLine(record, 100), `${'█'.repeat(12)}${'░'.repeat(12)} ${text}`);
  assert.equal(progressLine(record, text.length + 10), `${'█'.repeat(4)}${'░'.repeat(4)} ${text}`);
  assert.equal(progressLine(record, text.length + 5), text);
  assert.equal(progressLine(record, 11), text.slice(0, 10));
  for (let columns = 0; columns < 200; columns++) {
    assert.ok([...progressLine(record, columns)].length <= Math.max(0, columns - 1), `${columns}`);
  }
});

test('the bar stays within its ends, whatever the figures', () => {
  for (const [listed, queued] of [
    [0, 0],
    [0, 3],
    [10, 12],
    [10, -2],
  ]) {
    const line = progressLine({ ...record, listed, queued } as CrawlRecord, 100);
    assert.equal(line.split(' ')[0].length, 24);
  }
});

test('what a server says of itself commands no terminal', () => {
  const url = 'https://example.org/a';
  const done = { ...record, skippedCount: { 'content-type': 1 }, notices: ['a\x1b]0;b\x07'], problem: null };
  const store = { skipped: () => [{ at: 0, url, reason: 'content-type', detail: 'text\x9b2J/\r\x7fé' }] };
  const told = summarise(done as unknown as CrawlRecord, store as never, 0, false);
  assert.doesNotMatch(told.replaceAll('\n', ''), /\p{Cc}/u);
  assert.ok(told.includes(String.raw`  https://example.org/a (text\x9b2J/\x0d\x7fé)`), told);
  assert.ok(told.includes(String.raw`a\x1b]0;b\x07`), told);
});
