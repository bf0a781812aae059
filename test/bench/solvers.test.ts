import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { isProven, readProof, writeProof } from '../../bench/solver/check.ts';
import { SOLVERS } from '../../bench/solver/measure.ts';
import { solverContenders } from '../../bench/solver/sampling.ts';
import { type Files, type Proof, seedText } from '../../bench/solver/solver.ts';

const files: Files = async (path) =>
  new Uint8Array(await readFile(new URL(`../../${path}`, import.meta.url)));

for (const solver of SOLVERS.filter(({ only }) => only !== 'chromium')) {
  test(`an answer of "${solver.name}" holds, and a changed one does not`, async () => {
    const proof = await (await solver.open(files))(7);
    assert.ok(isProven(proof));
    assert.deepEqual(isProven(readProof(writeProof(proof))), true, 'and after its way through JSON');
    // One changed message in 256 has the digest by chance where a byte is asked for; of four at most one.
    const changed = [0, 1, 2, 3].map((at) => {
      const message = proof.message.slice();
      message[at] ^= 1;
      return isProven({ ...proof, message });
    });
    assert.ok(changed.filter(Boolean).length <= 1, 'a changed message must fail');
  });
}

test('seeds give different puzzles', () => {
  const texts = Array.from({ length: 1000 }, (_, seed) => seedText(seed, 32));
  assert.equal(new Set(texts).size, texts.length);
});

test('one wrong answer fails the sample', async () => {
  const wrong: Proof = { tries: 1, message: new Uint8Array(40), hash: 'sha256', at: 0, expected: [0, 0] };
  const place = async () => ({
    cold: { tries: 1, ms: 1, wallMs: 1 },
    steady: { tries: 1, ms: 1, wallMs: 1 },
    proofs: [writeProof(wrong)],
  });
  for (const contender of solverContenders('node', place, 1, false)) {
    await assert.rejects(async () => contender.sample(), /wrong answer/);
  }
});
