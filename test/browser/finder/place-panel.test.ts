import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { placePanel } from '../../../browser/finder/place-panel.ts';

const bar = (left: number, right: number, top = 20) => ({ left, right, top, bottom: top + 48 });
const desk = { width: 1200, height: 800 };

test('stands below the bar, as wide as it or as text is good to read', () => {
  assert.deepEqual(placePanel(bar(100, 900), desk, false), {
    left: 100,
    width: 800,
    top: 74,
    bottom: null,
    maxHeight: 640,
  });
  assert.equal(placePanel(bar(100, 300), desk, false).width, 560);
});

test('of a small bar at the right edge is moved in', () => {
  assert.equal(placePanel(bar(1000, 1180), desk, false).left, 1200 - 8 - 560);
});

test('begins at the right where text does', () => {
  assert.equal(placePanel(bar(800, 1000), desk, true).left, 440);
});

test('takes the whole width of a phone', () => {
  const { left, width } = placePanel(bar(150, 310), { width: 320, height: 640 }, false);
  assert.deepEqual([left, width], [8, 304]);
});

test('of a bar at the foot of the screen stands above it', () => {
  const { top, bottom } = placePanel(bar(100, 900, 740), desk, false);
  assert.deepEqual([top, bottom], [null, 66]);
});

test('never crosses an edge at the side, and has room for something', () => {
  const side = fc.integer({ min: -500, max: 3000 });
  fc.assert(
    fc.property(
      side,
      fc.integer({ min: 0, max: 2000 }),
      side,
      fc.integer({ min: 200, max: 2500 }),
      fc.boolean(),
      (left, width, top, screen, isRight) => {
        const place = placePanel(bar(left, left + width, top), { width: screen, height: 600 }, isRight);
        assert.ok(place.left >= 8 && place.left + place.width <= screen - 8);
        assert.ok(place.maxHeight >= 120);
        assert.notEqual(place.top === null, place.bottom === null);
      },
    ),
  );
});
