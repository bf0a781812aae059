import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readWorkAsked, type WorkPrice, workBits } from '../../../../server/pow/core/work-price.ts';

const PRICE: WorkPrice = {
  models: new Map([
    ['small', 0],
    ['big', 3],
  ]),
  otherModels: 1,
  outputTokens: [
    { above: 1_000, bits: 1 },
    { above: 8_000, bits: 2 },
  ],
};
const HIGHEST = 5;
const bits = (body: unknown) => workBits(PRICE, readWorkAsked(body));

for (const [body, expected] of [
  [{ model: 'small', max_tokens: 1_000 }, 0],
  [{ model: 'small', max_tokens: 1_001 }, 1],
  [{ model: 'big', max_completion_tokens: 9_000 }, 5],
  [{ model: 'new', max_output_tokens: 1 }, 1],
  // No limit is the highest.
  [{ model: 'small' }, 2],
  [{ model: 'small', max_tokens: null }, 2],
  // Whichever the provider reads.
  [{ model: 'small', max_tokens: 1, max_completion_tokens: 9_000 }, 2],
  // Several answers are several times the work.
  [{ model: 'small', max_tokens: 1_000, n: 9 }, 2],
  [{ model: 'small', max_tokens: 1_000, n: null }, 0],
] as const) {
  test(`${JSON.stringify(body)} pays ${expected} bits more`, () => assert.equal(bits(body), expected));
}

for (const body of [
  null,
  [],
  'small',
  {},
  { model: ['small'], max_tokens: 1 },
  { model: 'small', max_tokens: '1' },
  { model: 'small', max_tokens: 1, max_completion_tokens: '9000' },
  { model: 'small', max_tokens: -1 },
  { model: 'small', max_tokens: 0 },
  { model: 'small', max_tokens: 1.5 },
  { model: 'small', max_tokens: 1e300 },
  { model: 'small', max_tokens: 1, n: 0.1 },
  { model: 'small', max_tokens: 1, n: '8' },
]) {
  test(`what nobody reads alike costs the most: ${JSON.stringify(body)}`, () =>
    assert.equal(bits(body), HIGHEST));
}

test('a higher limit never costs less, and nothing costs more than the highest', () => {
  const limit = fc.integer({ min: 1, max: 20_000 });
  fc.assert(
    fc.property(fc.constantFrom('small', 'big', 'new'), limit, limit, (model, a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)].map((max_tokens) => bits({ model, max_tokens }));
      assert.ok((low as number) <= (high as number) && (high as number) <= HIGHEST);
    }),
  );
});
