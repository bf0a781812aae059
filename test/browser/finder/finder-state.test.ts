import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Answer } from '../../../browser/finder/answer.ts';
import {
  type FinderEvent,
  type FinderState,
  hasMore,
  IDLE,
  step,
} from '../../../browser/finder/finder-state.ts';
import { meaningOf } from '../../../browser/finder/key-meaning.ts';

const answer = (ids: string[], total = ids.length): Answer => ({
  total,
  results: ids.map((id) => ({
    id,
    title: id,
    body: '',
    url: '',
    href: `https://a.example/${id}`,
    thumbnail: null,
  })),
  categories: [{ label: 'a', count: total }],
  suggestion: null,
});

const after = (...events: FinderEvent[]): FinderState => events.reduce(step, IDLE);
const typed = (text: string): FinderEvent => ({ type: 'typed', text });
const ten = Array.from({ length: 10 }, (_, at) => `r${at}`);
const found = (ids = ten, total = 25) =>
  after(typed('bees'), { type: 'answered', serial: 1, answer: answer(ids, total) });
const idsOf = ({ answer }: FinderState) => answer?.results.map(({ id }) => id);

describe('typing', () => {
  test('asks for the words without the spaces around them, and opens the panel', () => {
    const { query, text, serial, isLoading, isOpen } = after(typed('  honey   bees '));
    assert.deepEqual(
      { query, text, serial, isLoading, isOpen },
      { query: 'honey bees', text: '  honey   bees ', serial: 1, isLoading: true, isOpen: true },
    );
  });

  test('of a space more asks nothing', () => {
    const state = step(found(), typed('bees '));
    assert.equal(state.serial, 1);
    assert.equal(state.isLoading, false);
  });

  test('that empties the field ends all, and what is under way counts no more', () => {
    const state = after(typed('bees'), typed('  '), { type: 'answered', serial: 1, answer: answer(['x']) });
    assert.deepEqual(state, { ...IDLE, text: '  ', serial: 2 });
  });

  test('keeps the old results in sight, and none of them chosen', () => {
    const state = step(step(found(), { type: 'move', to: 'next' }), typed('beesw'));
    assert.deepEqual(idsOf(state), ten);
    assert.equal(state.active, -1);
  });
});

describe('answers', () => {
  test('to an older question are dropped, in whatever order they come', () => {
    const two = after(typed('be'), typed('bees'));
    const stale = step(two, { type: 'answered', serial: 1, answer: answer(['old']) });
    assert.equal(stale, two);
    const right = step(stale, { type: 'answered', serial: 2, answer: answer(['new']) });
    assert.deepEqual(idsOf(right), ['new']);
    assert.equal(step(right, { type: 'answered', serial: 1, answer: answer(['old']) }), right);
    assert.equal(step(right, { type: 'failed', serial: 1, failure: 'server' }), right);
  });

  test('of the next page stand behind the first, each page once', () => {
    const more = step(found(), { type: 'more' });
    assert.deepEqual([more.page, more.serial, more.isLoading], [2, 2, true]);
    const next = step(more, { type: 'answered', serial: 2, answer: answer(['r9', 'r10'], 25) });
    assert.deepEqual(idsOf(next), [...ten, 'r10']);
    assert.equal(hasMore(next), true);
    assert.equal(hasMore({ ...next, page: 3 }), false);
  });

  test('that do not come leave the pages before, and can be asked for again', () => {
    const failed = step(step(found(), { type: 'more' }), { type: 'failed', serial: 2, failure: 'offline' });
    assert.deepEqual(idsOf(failed), ten);
    assert.equal(step(failed, { type: 'more' }), failed);
    const again = step(failed, { type: 'retry' });
    assert.deepEqual([again.page, again.serial, again.failure], [2, 3, null]);
  });

  test('that fail on the first page leave nothing of another query', () => {
    const failed = step(step(found(), typed('wasps')), { type: 'failed', serial: 2, failure: 'server' });
    assert.equal(failed.answer, null);
    assert.equal(failed.isLoading, false);
  });
});

test('more is not asked twice, nor where there is no more', () => {
  const asked = step(found(), { type: 'more' });
  assert.equal(step(asked, { type: 'more' }), asked);
  const whole = found(['a'], 1);
  assert.equal(step(whole, { type: 'more' }), whole);
});

test('a category is chosen and given up, from the first page each time', () => {
  const chosen = step({ ...found(), page: 3 }, { type: 'category', label: 'a' });
  assert.deepEqual([chosen.labels, chosen.page, chosen.serial], [['a'], 1, 2]);
  const both = step(chosen, { type: 'category', label: 'b' });
  assert.deepEqual(both.labels, ['a', 'b']);
  assert.deepEqual(step(both, { type: 'category', label: 'a' }).labels, ['b']);
  // They hold while the words change, and go with them.
  assert.deepEqual(step(both, typed('wasps')).labels, ['a', 'b']);
  assert.deepEqual(step(both, typed('')).labels, []);
});

test('a suggestion that is taken stands in the field', () => {
  const state = after(typed('beees'), {
    type: 'answered',
    serial: 1,
    answer: { ...answer([]), suggestion: 'bees' },
  });
  const { text, query, serial } = step(state, { type: 'suggested' });
  assert.deepEqual({ text, query, serial }, { text: 'bees', query: 'bees', serial: 2 });
  const without = found();
  assert.equal(step(without, { type: 'suggested' }), without);
});

describe('keys', () => {
  const press = (state: FinderState, ...keys: string[]): FinderState =>
    keys.reduce((now, key) => {
      const meaning = meaningOf(key, now);
      if (!meaning || meaning.type === 'follow' || meaning.type === 'search') return now;
      return step(now, meaning);
    }, state);
  const three = found(['a', 'b', 'c'], 3);

  for (const [keys, active] of [
    ['ArrowDown', 0],
    ['ArrowDown ArrowDown ArrowDown', 2],
    ['ArrowDown ArrowDown ArrowDown ArrowDown', -1],
    ['ArrowUp', 2],
    ['ArrowDown ArrowUp', -1],
    ['ArrowDown End', 2],
    ['ArrowUp Home', 0],
    // The field's own, as long as no result is chosen.
    ['Home', -1],
    ['End', -1],
    ['Escape ArrowDown', 0],
    ['Escape ArrowUp', 2],
    ['Tab', -1],
    ['a', -1],
  ] as const) {
    test(`${keys}: ${active}`, () => assert.equal(press(three, ...keys.split(' ')).active, active));
  }

  test('move nothing where nothing is found', () => {
    for (const key of ['ArrowDown', 'ArrowUp']) {
      assert.equal(press(found([], 0), key).active, -1);
      assert.equal(press(IDLE, key).active, -1);
      assert.equal(press(IDLE, key).isOpen, false);
    }
    assert.equal(step(found([], 0), { type: 'move', to: 'first' }).active, -1);
    assert.equal(step(found([], 0), { type: 'move', to: 'last' }).active, -1);
  });

  test('Enter follows what is chosen, and searches where nothing is', () => {
    assert.deepEqual(meaningOf('Enter', three), { type: 'search' });
    assert.deepEqual(meaningOf('Enter', press(three, 'ArrowDown')), { type: 'follow' });
  });

  test('Escape closes, then empties, then is the page’s', () => {
    const closed = press(three, 'ArrowDown', 'Escape');
    assert.deepEqual([closed.isOpen, closed.active, closed.text], [false, -1, 'bees']);
    const empty = press(closed, 'Escape');
    assert.deepEqual(empty, { ...IDLE, serial: 2 });
    assert.equal(meaningOf('Escape', empty), null);
  });
});
