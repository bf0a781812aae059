import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isJsonWithin } from '../../../server/http/json-bounds.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The same counted on the parsed value, by recursion. */
function measure(value: unknown): { depth: number; values: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 0 };
  const inner = Object.values(value).map(measure);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    values: 1 + Math.max(0, inner.length - 1) + inner.reduce((sum, { values }) => sum + values, 0),
  };
}

test('bounds are told as on the parsed value, whatever its texts hold', () =>
  fc.assert(
    fc.property(fc.json({ noUnicodeString: false, stringUnit: 'binary' }), fc.boolean(), (text, isPretty) => {
      const value = JSON.parse(text);
      const bytes = bytesOf(JSON.stringify(value, null, isPretty ? 2 : 0));
      const { depth, values } = measure(value);
      assert.ok(isJsonWithin(bytes, depth, values));
      if (depth > 0) assert.ok(!isJsonWithin(bytes, depth - 1, values));
      if (values > 0) assert.ok(!isJsonWithin(bytes, depth, values - 1));
    }),
  ));

for (const [text, isWithin] of [
  [String.raw`{"a":"[[[[\"[[[[\\"}`, true],
  [String.raw`["\\",[[[]]]]`, false],
  ['"[[[[', true],
  ['[[[[', false],
  ['', true],
] as const) {
  test(`${text} is ${isWithin ? '' : 'not '}within depth 3`, () =>
    assert.equal(isJsonWithin(bytesOf(text), 3, 100), isWithin));
}
