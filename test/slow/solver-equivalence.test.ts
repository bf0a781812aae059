import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdToOracle } from '../browser/solver/equivalence.ts';
import { IMPLEMENTATIONS } from '../browser/solver/implementations.ts';

for (const { kernel } of IMPLEMENTATIONS) {
  test(`the ${kernel.name} kernel gives what node:crypto gives in ten million tries`, () => {
    assert.ok(holdToOracle(kernel, 10_000_000, 1) >= 10_000_000);
  });
}
