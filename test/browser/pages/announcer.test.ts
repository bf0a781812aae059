import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnnouncer } from '../../../browser/pages/announcer.ts';

test('says the first text at once, then at most one a second, and always the newest', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const said: [number, string][] = [];
  const announcer = createAnnouncer((text) => said.push([Date.now(), text]));
  announcer.say('a');
  announcer.say('b');
  t.mock.timers.tick(400);
  announcer.say('c');
  t.mock.timers.tick(600);
  assert.deepEqual(said, [
    [0, 'a'],
    [1000, 'c'],
  ]);
  t.mock.timers.tick(5000);
  announcer.say('d');
  assert.deepEqual(said.at(-1), [6000, 'd']);
  assert.equal(said.length, 3);
});

test('a flood of texts never exceeds the pace', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const moments: number[] = [];
  const announcer = createAnnouncer(() => moments.push(Date.now()));
  for (let i = 0; i < 600; i++) {
    announcer.say(`frame ${i}`);
    t.mock.timers.tick(16);
  }
  t.mock.timers.tick(2000);
  const gaps = moments.slice(1).map((moment, i) => moment - (moments[i] as number));
  assert.ok(moments.length >= 9, `said ${moments.length} times`);
  assert.ok(Math.min(...gaps) >= 1000, `gaps ${gaps}`);
});
