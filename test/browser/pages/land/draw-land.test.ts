import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { drawLand, LAND_FILE, WIDTH } from './draw-land.ts';

const svg = drawLand();

test('the drawing that is kept is the one that is drawn', () => {
  assert.equal(readFileSync(LAND_FILE, 'utf8'), svg);
});

test('no line of the drawing jumps from one edge of the map to the other', () => {
  const rings = [...svg.matchAll(/M([^z]*)z/g)].map(([, points]) =>
    points.split('L').map((point) => point.split(' ').map(Number)),
  );
  assert.ok(rings.length > 100);
  for (const ring of rings) {
    for (const [i, [x]] of ring.entries()) {
      const [before] = ring.at(i - 1) as number[];
      assert.ok(Math.abs(x - before) < WIDTH / 2, `${before} to ${x}`);
    }
  }
});
