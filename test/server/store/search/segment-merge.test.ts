import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makePostings } from '../../../../server/search/core/page-postings.ts';
import { createTextTools } from '../../../../server/search/text/text-tools.ts';
import { openSegment } from '../../../../server/store/search/segment.ts';
import { buildSegment, type NewDocument } from '../../../../server/store/search/segment-build.ts';
import { type MergeInput, mergeSegments } from '../../../../server/store/search/segment-merge.ts';
import { makePage } from '../../../index-pages.ts';

const tools = createTextTools();
const open = (bytes: Uint8Array) => openSegment((from, to) => bytes.subarray(from, to));

function mergeAll(inputs: readonly MergeInput[], blockOf = (_serial: number, block: number) => block) {
  const steps = mergeSegments(inputs, blockOf);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

// Few words, so that terms meet in several segments, and some that share half of a surrogate pair with the one before.
const word = fc.constantFrom(
  'bak',
  'dof',
  'gul',
  'hep',
  'C++',
  'x.y',
  '漢字',
  '😀a',
  '𐐷b',
  '𐐸b',
  'bak'.repeat(40),
);
const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '));
const document = fc.record({ title: text, body: text, label: word, gap: fc.nat(3), isDead: fc.boolean() });
const segments = fc.array(fc.array(document, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 });

function documentsOf(
  given: { title: string; body: string; label: string; gap: number }[][],
): NewDocument[][] {
  let serial = 0;
  return given.map((own) =>
    own.map(({ title, body, label, gap }) => {
      serial += 1 + gap;
      const page = makePage(`p${serial}`, { title, body, labels: [label] });
      return { serial, block: serial - gap, dateSecs: serial * 7, postings: makePostings(page, tools) };
    }),
  );
}

test('a merge gives the bytes that the pages which are left would have given at once', () => {
  fc.assert(
    fc.property(segments, (given) => {
      const documents = documentsOf(given);
      const inputs = documents.map((own, i) => {
        const dead = Uint8Array.from(given[i], ({ isDead }) => Number(isDead));
        return { segment: open(buildSegment(own)), dead: dead.includes(1) ? dead : null };
      });
      const left = documents.flatMap((own, i) => own.filter((_, k) => !given[i][k].isDead));
      const merged = mergeAll(inputs);
      assert.equal(merged.docs, left.length);
      assert.deepEqual(merged.bytes, buildSegment(left));
      const numbers = merged.renumbered.flatMap((own) => [...own]);
      assert.deepEqual(
        numbers.filter((number) => number >= 0),
        left.map((_, i) => i),
      );
    }),
    { numRuns: 200 },
  );
});

test('a segment gives back its terms and its records, over many chunks', () => {
  const names = Array.from({ length: 1_500 }, (_, i) => `w${(i * 7_919) % 100_003}`);
  const page = makePage('a', { body: `${names.join(' ')} 😀 😁 𐐷x 𐐸x`, updatedAtSecs: 5_000_000_000 });
  const postings = makePostings(page, tools);
  const segment = open(
    buildSegment([{ serial: 70_000, block: 69_990, dateSecs: page.updatedAtSecs, postings }]),
  );
  const terms = segment.firsts.flatMap((_, i) => segment.chunk(i).terms);
  assert.deepEqual(terms, [...postings.terms].sort());
  assert.ok(segment.firsts.length > 10);
  for (const [i, first] of segment.firsts.entries()) assert.equal(segment.chunk(i).terms[0], first);
});

test('a merge stops now and then, so that a large one keeps nobody waiting', () => {
  const body = Array.from({ length: 20_000 }, (_, i) => `w${i}x`).join(' ');
  const postings = makePostings(makePage('a', { body }), tools);
  const segment = open(buildSegment([{ serial: 1, block: 1, dateSecs: 0, postings }]));
  const steps = [...mergeSegments([{ segment, dead: null }], (_serial, block) => block)];
  assert.ok(steps.length >= 5, `${steps.length} stops`);
});
