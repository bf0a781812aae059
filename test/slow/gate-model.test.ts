import { test } from 'node:test';
import { assertGateIsItsModel } from '../property/gate-model.ts';

test('in 100,000 stories no double use and no wrong admission', () => assertGateIsItsModel(100_000));
