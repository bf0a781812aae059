import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { expandPrefix, expandTypos } from '../../../../server/search/core/expansions.ts';
import {
  type Chunk,
  divideChunk,
  type Vocabulary,
  walkFrom,
} from '../../../../server/search/core/vocabulary.ts';

function vocabularyOf(words: readonly string[]): Vocabulary {
  const terms = [...new Set(words)].sort();
  // Divided more finely than in the store, so that a few words have several chunks.
  const chunks: Chunk[] = [];
  for (let from = 0; from < terms.length; from += 3) {
    const part = terms.slice(from, from + 3);
    chunks.push({ terms: part, numbers: part.map((_, i) => from + i), classes: part.map(() => 0) });
  }
  return { firsts: chunks.map((chunk) => chunk.terms[0]), chunk: (i) => chunks[i] };
}

// Optimal string alignment by its definition.
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let least = Math.min(
        rows[i - 1][j] + 1,
        rows[i][j - 1] + 1,
        rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, rows[i - 2][j - 2] + 1);
      rows[i][j] = least;
    }
  }
  return rows[a.length][b.length];
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 8 });

test('corrections with the same first letter are those within the distance, no more and no less', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), word, fc.constantFrom(1, 2), (words, wanted, edits) => {
      const vocabulary = vocabularyOf(words);
      const found = expandTypos(vocabulary, wanted, edits, 1_000)
        .filter(({ term }) => term[0] === wanted[0])
        .map(({ term, edits }) => `${term} ${edits}`)
        .sort();
      // The first letter is right, so the distance is that of the rest.
      const expected = [...new Set(words)]
        .filter((term) => term[0] === wanted[0] && term !== wanted)
        .map((term) => ({ term, edits: distance(term.slice(1), wanted.slice(1)) }))
        .filter((one) => one.edits <= edits)
        .map(({ term, edits }) => `${term} ${edits}`)
        .sort();
      assert.deepEqual(found, expected);
    }),
    { numRuns: 500 },
  );
});

test('a wrong first letter takes both mistypings', () => {
  const vocabulary = vocabularyOf(['reception', 'xreception', 'eception', 'erception', 'zaception']);
  const found = expandTypos(vocabulary, 'peception', 2, 10).map(({ term }) => term);
  assert.deepEqual(
    found,
    ['eception', 'reception'].filter((term) => term === 'reception' || term === 'eception'),
  );
  assert.deepEqual(expandTypos(vocabulary, 'peception', 1, 10), []);
});

test('beginnings are found across chunks', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), word, (words, front) => {
      const found = expandPrefix(vocabularyOf(words), front, 1_000).map(({ term }) => term);
      const expected = [...new Set(words)].filter((term) => term.startsWith(front) && term !== front);
      assert.deepEqual(found.sort(), expected.sort());
    }),
  );
});

test('one beginning in a vocabulary of a million words is read in part', () => {
  let read = 0;
  const chunk = {
    terms: Array.from({ length: 256 }, (_, i) => `a${String(i).padStart(3, '0')}`),
    numbers: Array.from({ length: 256 }, (_, i) => i),
    classes: new Array<number>(256).fill(0),
  };
  const vocabulary: Vocabulary = {
    firsts: Array.from({ length: 4_000 }, () => 'a000').map((first, i) => (i === 0 ? 'a' : first)),
    chunk() {
      read++;
      return chunk;
    },
  };
  assert.equal(expandPrefix(vocabulary, 'a', 48).length, 48);
  assert.ok(read < 100, `${read} chunks were read`);
});

test('a chunk is divided into ones that keep order and limits', () => {
  const terms = Array.from({ length: 2_000 }, (_, i) => `t${String(i).padStart(5, '0')}`);
  const parts = divideChunk({ terms, numbers: terms.map((_, i) => i), classes: terms.map(() => 1) });
  assert.deepEqual(
    parts.flatMap((part) => part.terms),
    terms,
  );
  for (const part of parts) assert.ok(part.terms.length <= 256);
  const seen: string[] = [];
  walkFrom(
    { firsts: parts.map((part) => part.terms[0]), chunk: (i) => parts[i] },
    't01990',
    (term) => seen.push(term) > 0,
  );
  assert.deepEqual(seen, terms.slice(1_990));
});
