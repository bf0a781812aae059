import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGatherer, gatherAlone, type Member } from '../../server/gathering.ts';
import { createTestTimer } from '../test-timer.ts';

/** Three members that answer with their number where they are told to, and what each was sent. */
function createWorld(answers: (id: number) => boolean = () => true) {
  const timer = createTestTimer();
  const sent: { to: number; message: Record<string, unknown> }[] = [];
  const members: Member[] = [1, 2, 3].map((id) => ({
    id,
    send(message) {
      sent.push({ to: id, message });
      if (message.gatehouse === 'gather' && answers(id)) answer(id, message.id);
    },
  }));
  const gatherer = createGatherer(() => members, timer);
  const answer = (id: number, round: number) =>
    gatherer.hear(members[id - 1], { gatehouse: 'part', id: round, part: `part of ${id}` });
  const partsTo = (id: number) =>
    sent.flatMap(({ to, message }) => (to === id && message.gatehouse === 'parts' ? [message] : []));
  return { gatherer, members, timer, sent, answer, partsTo };
}

test('whoever asks is given the parts of all, its own among them, once', () => {
  const { gatherer, members, timer, partsTo } = createWorld();
  gatherer.hear(members[1], { gatehouse: 'gather', id: 7 });
  assert.deepEqual(partsTo(2), [
    { gatehouse: 'parts', id: 7, parts: ['part of 1', 'part of 2', 'part of 3'] },
  ]);
  assert.equal(timer.waiting(), 0);
  assert.deepEqual([...partsTo(1), ...partsTo(3)], []);
});

test('one that hangs is waited for in vain and not for long; its late answer is of no account', () => {
  const { gatherer, members, timer, answer, partsTo, sent } = createWorld((id) => id !== 3);
  gatherer.hear(members[0], { gatehouse: 'gather', id: 1 });
  assert.deepEqual(partsTo(1), []);
  timer.fire();
  assert.deepEqual(partsTo(1)[0].parts, ['part of 1', 'part of 2']);
  answer(3, sent[0].message.id as number);
  assert.equal(partsTo(1).length, 1);
});

test('one that ends is no longer waited for', () => {
  const { gatherer, members, timer, partsTo } = createWorld((id) => id !== 2);
  gatherer.hear(members[0], { gatehouse: 'gather', id: 1 });
  gatherer.leave(2);
  assert.deepEqual(partsTo(1)[0].parts, ['part of 1', 'part of 3']);
  assert.equal(timer.waiting(), 0);
});

test('nobody answers twice, or for a round that is none, and other messages are left alone', () => {
  const { gatherer, members, answer, partsTo } = createWorld(() => false);
  gatherer.hear(members[0], { gatehouse: 'gather', id: 1 });
  for (let i = 0; i < 3; i++) answer(1, 1);
  answer(2, 99);
  for (const message of [null, 'x', { gatehouse: 'part' }, { gatehouse: 'listening', url: '' }, { id: 1 }])
    gatherer.hear(members[2], message);
  assert.deepEqual(partsTo(1), []);
  answer(2, 1);
  answer(3, 1);
  assert.deepEqual(partsTo(1)[0].parts, ['part of 1', 'part of 2', 'part of 3']);
});

test('two rounds at once do not meet', () => {
  const { gatherer, members, answer, partsTo } = createWorld(() => false);
  gatherer.hear(members[0], { gatehouse: 'gather', id: 5 });
  gatherer.hear(members[1], { gatehouse: 'gather', id: 5 });
  for (const id of [1, 2, 3]) answer(id, 2);
  assert.deepEqual([partsTo(1).length, partsTo(2).length], [0, 1]);
  for (const id of [1, 2, 3]) answer(id, 1);
  assert.equal(partsTo(1).length, 1);
});

test('a process that is alone has its own part', async () => {
  assert.deepEqual(await gatherAlone(() => 4)(), [4]);
});
