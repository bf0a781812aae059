import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SessionError } from '../../../browser/solver/session-error.ts';
import { type AutoMode, createGateControl, type GateEvents } from '../../../browser/widget/gate-control.ts';
import type { HeldPassport, PassportSource, Waiting } from '../../../browser/widget/passport-source.ts';
import { SOLUTION } from '../solver/fake-gate.ts';
import { fakeTimers } from '../solver/fake-timers.ts';

/** A control over a source that the test plays. */
function fakeControl({
  mode = 'onload' as AutoMode,
  source,
}: {
  mode?: AutoMode;
  source?: () => PassportSource;
} = {}) {
  const timers = fakeTimers();
  const waiting: Waiting[] = [];
  const heard: string[] = [];
  const details: Partial<GateEvents> = {};
  const forgotten: string[] = [];
  const values: string[] = [];
  const world = { mode, isHidden: false, left: 0 };
  const control = createGateControl({
    source:
      source ??
      (() => ({
        join(one) {
          waiting.push(one);
          return () => {
            world.left++;
          };
        },
        forget: (passport) => forgotten.push(passport),
      })),
    autoMode: () => world.mode,
    isHidden: () => world.isHidden,
    now: timers.now,
    after: timers.after,
    emit(type, detail) {
      heard.push(type === 'pow-statechange' ? (detail as GateEvents['pow-statechange']).state : type);
      Object.assign(details, { [type]: detail });
    },
    onState: () => {},
    onSession: () => {},
    onProgress: () => {},
    onValue: (passport) => values.push(passport?.passport ?? ''),
    onError: () => {},
  });
  let won = 0;
  const passport = (ttlSecs = 1800): HeldPassport => ({
    passport: `P${++won}`,
    ttlSecs,
    endMs: timers.now() + ttlSecs * 1000,
    difficultyBits: 20,
    solution: SOLUTION,
  });
  const last = () => waiting.at(-1) as Waiting;
  return { control, timers, waiting, heard, details, forgotten, values, world, passport, last };
}

describe('a check', () => {
  test('goes from unsolved through solving to solved, and tells what was won', () => {
    const { control, heard, details, values, passport, last } = fakeControl();
    assert.equal(control.state(), 'unsolved');
    control.start();
    control.start();
    assert.equal(control.state(), 'solving');
    last().onPassport(passport());
    assert.deepEqual(heard, ['solving', 'solved', 'pow-solve']);
    assert.deepEqual(values, ['P1']);
    const { answer: _, ...shown } = SOLUTION;
    assert.deepEqual(details['pow-solve'], {
      response: 'P1',
      expiresAt: 1_800_000,
      difficultyBits: 20,
      ...shown,
    });
    assert.deepEqual(details['pow-statechange'], { state: 'solved', previous: 'solving' });
  });

  test('that fails tells the code, and can be started again', () => {
    const { control, heard, details, waiting, last } = fakeControl();
    control.start();
    last().onError(new SessionError('throttled', 'too many', 429));
    assert.deepEqual(heard, ['solving', 'error', 'pow-error']);
    assert.deepEqual(details['pow-error'], { code: 'throttled', message: 'too many', status: 429 });
    control.start();
    assert.equal(waiting.length, 2);
  });

  test('is no error of the page where its attributes are wrong', () => {
    const { control, details } = fakeControl({
      source() {
        throw new SessionError('invalid-api', 'data-api: expected an origin');
      },
    });
    control.start();
    assert.equal(control.state(), 'error');
    assert.equal(details['pow-error']?.code, 'invalid-api');
  });

  test('that is stopped leaves its source; what is solved stays', () => {
    const { control, world, passport, last } = fakeControl();
    control.start();
    control.stop();
    assert.equal(control.state(), 'unsolved');
    assert.equal(world.left, 1);
    control.start();
    last().onPassport(passport());
    control.stop();
    assert.equal(control.state(), 'solved');
  });

  test('that is reset forgets its passport and is as new', () => {
    const { control, forgotten, values, timers, passport, last } = fakeControl();
    control.start();
    last().onPassport(passport());
    control.reset();
    assert.equal(control.state(), 'unsolved');
    assert.deepEqual(forgotten, ['P1']);
    assert.deepEqual(values, ['P1', '']);
    assert.equal(timers.pending(), 0);
  });
});

describe('the end of a passport', () => {
  for (const [ttlSecs, endMs] of [
    [1800, 1_770_000],
    [60, 54_000],
    [1, 900],
  ] as const) {
    test(`comes before it: of ${ttlSecs} s after ${endMs} ms`, async () => {
      const { control, heard, values, timers, passport, last } = fakeControl({ mode: 'off' });
      control.start();
      last().onPassport(passport(ttlSecs));
      await timers.advance(endMs - 1);
      assert.equal(control.state(), 'solved');
      await timers.advance(1);
      assert.equal(control.state(), 'expired');
      assert.deepEqual(heard.slice(-2), ['expired', 'pow-expire']);
      assert.equal(values.at(-1), '');
    });
  }

  for (const [mode, state] of [
    ['onload', 'solving'],
    ['onfocus', 'solving'],
    ['onsubmit', 'expired'],
    ['off', 'expired'],
  ] as const) {
    test(`is followed by ${state} in mode ${mode}`, async () => {
      const { control, timers, passport, last } = fakeControl({ mode });
      control.start();
      last().onPassport(passport());
      await timers.advance(1_770_000);
      assert.equal(control.state(), state);
    });
  }

  test('is no reason to work for a page that nobody looks at, until somebody does', async () => {
    const { control, world, timers, waiting, passport, last } = fakeControl();
    control.start();
    last().onPassport(passport());
    world.isHidden = true;
    await timers.advance(1_800_000);
    assert.equal(control.state(), 'expired');
    control.wake();
    assert.equal(waiting.length, 1);
    world.isHidden = false;
    control.wake();
    assert.equal(control.state(), 'solving');
  });

  test('is seen at once when a device wakes up', () => {
    const { control, timers, passport, last } = fakeControl();
    control.start();
    last().onPassport({ ...passport(), endMs: timers.now() + 20_000 });
    control.wake();
    assert.notEqual(control.state(), 'solved');
  });

  test('lets no clock run for a widget that was taken out', async () => {
    const { control, timers, passport, last } = fakeControl();
    control.start();
    last().onPassport(passport());
    control.stop();
    assert.equal(timers.pending(), 0);
    await timers.advance(1_800_000);
    control.wake();
    assert.equal(control.state(), 'solving');
  });
});

describe('a passport that a page comes back with', () => {
  test('is taken where it is still good', () => {
    const { control, passport, heard } = fakeControl();
    control.take(passport());
    assert.equal(control.state(), 'solved');
    assert.deepEqual(heard, ['solved', 'pow-solve']);
  });

  test('is left where it is over, and the check that runs goes on', () => {
    const { control, passport } = fakeControl();
    control.start();
    control.take({ ...passport(), endMs: 1000 });
    assert.equal(control.state(), 'solving');
  });
});
