import { messageOf } from './own.ts';
import { type Proof, type Solver, seedBytes } from './solver.ts';

/** Hash functions in the plain loop that one writes around them, on our own puzzle, in the fastest form that each has. */
export const HASHES: readonly Solver[] = [
  loop('hash-wasm, one hasher kept', 'hash-wasm', async () => {
    const { createSHA256 } = await import('hash-wasm');
    const hasher = await createSHA256();
    return (message) => passes(hasher.init().update(message).digest('binary'));
  }),
  loop('noble, one hasher kept', '@noble/hashes', async () => {
    const { sha256 } = await import('@noble/hashes/sha2.js');
    const [fresh, hasher, digest] = [sha256.create(), sha256.create(), new Uint8Array(32)];
    return (message) => {
      fresh._cloneInto(hasher);
      hasher.update(message).digestInto(digest);
      return passes(digest);
    };
  }),
  loop('OpenSSL, crypto.createHash', 'node', nodeHash('createHash'), 'node'),
  loop('OpenSSL, crypto.hash in one shot', 'node', nodeHash('hash'), 'node'),
];

/** Whether the message's digest begins with twelve zero bits. */
type Test = (message: Uint8Array<ArrayBuffer>) => boolean;

const passes = (digest: Uint8Array) => digest[0] === 0 && digest[1] < 16;

function nodeHash(name: 'createHash' | 'hash'): () => Promise<Test> {
  return async () => {
    // By a name in a variable, so that the bundle for the browser leaves it out.
    const specifier = 'node:crypto';
    const crypto: typeof import('node:crypto') = await import(/* @vite-ignore */ specifier);
    // As text: Node is three times as fast at making a string as at making a Buffer.
    if (name === 'hash') return (message) => crypto.hash('sha256', message, 'hex').startsWith('000');
    return (message) => crypto.createHash('sha256').update(message).digest('hex').startsWith('000');
  };
}

function loop(name: string, from: string, load: () => Promise<Test>, only?: 'node'): Solver {
  return {
    name,
    package: from,
    ...(only ? { only } : {}),
    async open() {
      const isFound = await load();
      return (seed): Proof => {
        const message = new Uint8Array(messageOf(seedBytes(seed, 32), 0n));
        const view = new DataView(message.buffer);
        for (let answer = 0; ; answer++) {
          // Below 2**32, which 16 bits stay: a BigInt each would be the loop's cost and not the hash's.
          view.setUint32(32, answer, true);
          if (isFound(message)) {
            return { tries: answer + 1, message, hash: 'sha256', at: 0, expected: [0] };
          }
        }
      };
    },
  };
}
