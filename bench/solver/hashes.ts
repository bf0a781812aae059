import { messageOf } from './own.ts';
import { type Proof, type Solver, seedBytes } from './solver.ts';

/** Hash functions in the plain loop that one writes around them, on our own puzzle: one digest a try. */
export const HASHES: readonly Solver[] = [
  loop('hash-wasm, one hasher kept', 'hash-wasm', async () => {
    const { createSHA256 } = await import('hash-wasm');
    const hasher = await createSHA256();
    return (message) => hasher.init().update(message).digest('binary');
  }),
  loop('noble', '@noble/hashes', async () => {
    const { sha256 } = await import('@noble/hashes/sha2.js');
    return sha256;
  }),
  loop('OpenSSL, crypto.createHash', 'node', nodeHash('createHash'), 'node'),
  loop('OpenSSL, crypto.hash in one shot', 'node', nodeHash('hash'), 'node'),
];

type Digest = (message: Uint8Array<ArrayBuffer>) => Uint8Array;

function nodeHash(name: 'createHash' | 'hash'): () => Promise<Digest> {
  return async () => {
    // By a name in a variable, so that the bundle for the browser leaves it out.
    const specifier = 'node:crypto';
    const crypto: typeof import('node:crypto') = await import(/* @vite-ignore */ specifier);
    if (name === 'hash') return (message) => crypto.hash('sha256', message, 'buffer');
    return (message) => crypto.createHash('sha256').update(message).digest();
  };
}

function loop(name: string, from: string, load: () => Promise<Digest>, only?: 'node'): Solver {
  return {
    name,
    package: from,
    ...(only ? { only } : {}),
    async open() {
      const digest = await load();
      return (seed): Proof => {
        const message = new Uint8Array(messageOf(seedBytes(seed, 32), 0n));
        const view = new DataView(message.buffer);
        for (let answer = 0; ; answer++) {
          // Below 2**32, which 16 bits stay: a BigInt each would be the loop's cost and not the hash's.
          view.setUint32(32, answer, true);
          const found = digest(message);
          if (found[0] === 0 && found[1] < 16) {
            return { tries: answer + 1, message, hash: 'sha256', at: 0, expected: [0] };
          }
        }
      };
    },
  };
}
