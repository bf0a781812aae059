import { BITS_AT, CHALLENGE_BYTES, KIND_AT, NONCE_AT, VERSION_AT } from '../../assembly/layout.ts';
import { createJavascriptKernel } from '../../browser/solver/javascript-kernel.ts';
import { createWasmKernel, type Kernel } from '../../browser/solver/kernel.ts';
import { encodeBase64url } from '../../server/base/base64url.ts';
import { type Files, type Proof, type Solver, seedBytes } from './solver.ts';

const BITS = 16;

/** Our three kernels, each found by its name in a table. */
export const OWN: readonly Solver[] = [
  ours('ours, four lanes', (files) => wasm('simd', files)),
  ours('ours, scalar Wasm', (files) => wasm('scalar', files)),
  ours('ours, JavaScript', async () => createJavascriptKernel()),
];

/** A challenge as the gate would give it, but for its seal, which no solver reads. */
export function challengeOf(nonce: Uint8Array, bits: number): string {
  const envelope = new Uint8Array(CHALLENGE_BYTES);
  envelope[VERSION_AT] = 1;
  envelope[KIND_AT] = 1;
  envelope[BITS_AT] = bits;
  envelope.set(nonce, NONCE_AT);
  return encodeBase64url(envelope);
}

/** The message that the rule hashes for this answer. */
export function messageOf(nonce: Uint8Array, answer: bigint): Uint8Array {
  const message = new Uint8Array(40);
  message.set(nonce);
  new DataView(message.buffer).setBigUint64(32, answer, true);
  return message;
}

function ours(name: string, load: (files: Files) => Promise<Kernel>): Solver {
  return {
    name,
    package: null,
    async open(files) {
      const kernel = await load(files);
      return (seed): Proof => {
        const nonce = seedBytes(seed, 32);
        const answer = BigInt(kernel.solve_once_b64(challengeOf(nonce, BITS)));
        const message = messageOf(nonce, answer);
        return { tries: Number(answer) + 1, message, hash: 'sha256', at: 0, expected: [0, 0] };
      };
    },
  };
}

async function wasm(name: 'simd' | 'scalar', files: Files): Promise<Kernel> {
  return createWasmKernel(name, await WebAssembly.compile(await files(`build/wasm/solver-${name}.wasm`)));
}
