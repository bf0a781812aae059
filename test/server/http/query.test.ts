import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readQuery } from '../../../server/http/query.ts';

/** As the URL standard reads it. */
function byDefinition(text: string): [string, string | string[]][] {
  const parameters = new URL(`http://localhost/?${text}`).searchParams;
  return [...new Set(parameters.keys())].map((name) => {
    const values = parameters.getAll(name);
    return [name, values.length === 1 ? values[0] : values];
  });
}

const piece = fc.constantFrom(
  ...['&', '=', '+', '?', '%', '%2', '%zz', '%41', '%26', '%3D', '%25', '%E4', '%C3%A4', '%FF', '%ED%A0%80'],
  ...['a', 'b', 'queryIP', '__proto__', 'constructor', '%00', '[]', ';'],
);

test('a query has the reading of the URL standard', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const text = pieces.join('');
      assert.deepEqual(Object.entries(readQuery(text)).sort(), byDefinition(text).sort());
    }),
    { numRuns: 3_000 },
  );
});

test('a name of the language is a name like others', () => {
  const query = readQuery('__proto__=x&toString=y');
  assert.equal(Object.getPrototypeOf(query), null);
  assert.deepEqual(
    { ...Object.fromEntries(Object.entries(query)) },
    JSON.parse('{"__proto__":"x","toString":"y"}'),
  );
  assert.equal(readQuery('').toString, undefined);
});

test('all of many names are read', () => {
  const names = Array.from({ length: 3_000 }, (_, i) => `n${i}`);
  assert.deepEqual(Object.keys(readQuery(names.join('&'))), names);
});
