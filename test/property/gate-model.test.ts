import { test } from 'node:test';
import { assertGateIsItsModel } from './gate-model.ts';

// The long version is in test/slow.
test('in 400 stories of issue, redeem, prove, show, roam and wait the gate does what its model does', () =>
  assertGateIsItsModel(400));
