import { type Proof, type Solver, seedBytes, seedText } from './solver.ts';

const text = (value: string) => new TextEncoder().encode(value);

/** The solvers of other proof-of-work gates, called as their own pages call them. */
export const PEERS: readonly Solver[] = [
  {
    name: 'Cap',
    package: '@cap.js/wasm',
    async open(files) {
      const { default: init, solve_pow } = await import('@cap.js/wasm/browser/cap_wasm.js');
      await init({ module_or_path: await files('node_modules/@cap.js/wasm/browser/cap_wasm_bg.wasm') });
      return (seed): Proof => {
        // As its server makes it by default. With 50 characters some tries would need a second block.
        const salt = seedText(seed, 32);
        const answer = BigInt.asUintN(64, solve_pow(salt, '0000'));
        const message = text(`${salt}${answer}`);
        return { tries: Number(answer) + 1, message, hash: 'sha256', at: 0, expected: [0, 0] };
      };
    },
  },
  {
    name: 'mCaptcha',
    package: '@mcaptcha/pow-wasm',
    async open(files) {
      const glue = await import('@mcaptcha/pow-wasm/pow_wasm_bg.js');
      const module = await WebAssembly.compile(
        await files('node_modules/@mcaptcha/pow-wasm/pow_wasm_bg.wasm'),
      );
      const instance = new WebAssembly.Instance(module, {
        './pow_wasm_bg.js': glue as unknown as WebAssembly.ModuleImports,
      });
      glue.__wbg_set_wasm(instance.exports);
      return (seed): Proof => {
        // Its phrases have 32 characters. The salt is the operator's: with this length a try is one block, from a first
        // one that is hashed once; other lengths would cost it a second block, and half of its speed.
        const salt = seedText(seed, 32);
        const phrase = seedText(seed + 1, 32);
        const { nonce } = JSON.parse(glue.gen_pow(salt, phrase, 2 ** 16)) as { nonce: number };
        // The phrase goes in as bincode writes a string: its length as a u64, little-endian, before it.
        const length = new Uint8Array(8);
        length[0] = phrase.length;
        const message = concat(text(salt), length, text(phrase), text(String(nonce)));
        // Its target is a least value and not a most one; it counts from 1.
        return { tries: nonce, message, hash: 'sha256', at: 0, expected: [0xff, 0xff] };
      };
    },
  },
  {
    name: 'Friendly Captcha',
    package: 'friendly-pow',
    async open(files) {
      const { getWasmSolver } = await import('friendly-pow/node/api/wasm.js');
      const module = await WebAssembly.compile(await files('node_modules/friendly-pow/wasm/optimized.wasm'));
      const solve = await getWasmSolver(module);
      return (seed): Proof => {
        const puzzle = seedBytes(seed, 128);
        puzzle.fill(0, 124);
        const [solved] = solve(puzzle, 2 ** 16) as [Uint8Array, Uint8Array];
        const message = solved.slice();
        const tries = new DataView(message.buffer).getUint32(124, true) + 1;
        // The first word of the digest, little-endian, is below 2**16.
        return { tries, message, hash: 'blake2b-256', at: 2, expected: [0, 0] };
      };
    },
  },
  {
    name: 'ALTCHA, a createHash each',
    package: 'altcha-lib',
    only: 'node',
    async open() {
      const { createChallenge, solveChallenge } = await import('altcha-lib');
      const { deriveKey } = await import('altcha-lib/algorithms/sha');
      return async (): Promise<Proof> => {
        const challenge = await createChallenge({
          algorithm: 'SHA-256',
          cost: 1,
          keyPrefix: '000',
          deriveKey,
        });
        const solution = await solveChallenge({ challenge, deriveKey });
        return altchaProof(challenge.parameters, solution?.counter ?? -1);
      };
    },
  },
  {
    name: 'ALTCHA, its worker, a crypto.subtle digest each',
    package: 'altcha',
    only: 'chromium',
    isThreaded: true,
    async open(files) {
      const script = new Blob([await files('node_modules/altcha/dist/workers/sha.js')], {
        type: 'text/javascript',
      });
      const { Worker } = globalThis as unknown as { Worker: new (url: string) => ChannelWorker };
      const worker = new Worker(URL.createObjectURL(script));
      return async (seed): Promise<Proof> => {
        const parameters = {
          algorithm: 'SHA-256',
          cost: 1,
          keyLength: 32,
          keyPrefix: '000',
          nonce: seedText(seed, 32),
          salt: seedText(seed + 1, 32),
        };
        const solution = await new Promise<{ counter: number }>((resolve) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.postMessage({ type: 'work', challenge: { parameters }, counterStart: 0, counterStep: 1 });
        });
        return altchaProof(parameters, solution.counter);
      };
    },
  },
];

// The part of a browser's Worker that is needed, since this file is also checked without a browser's types.
type ChannelWorker = {
  onmessage: ((event: { data: { counter: number } }) => void) | null;
  postMessage(message: unknown): void;
};

function altchaProof({ salt, nonce }: { salt: string; nonce: string }, counter: number): Proof {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, counter);
  const message = concat(hex(salt), hex(nonce), bytes);
  return { tries: counter + 1, message, hash: 'sha256', at: 0, expected: [0] };
}

function hex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
