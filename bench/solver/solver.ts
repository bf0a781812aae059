/** Gives the bytes of a file, by its path from the root of the repository. */
export type Files = (path: string) => Promise<Uint8Array<ArrayBuffer>>;

/** What a solve gave, in a form that another program can check: the digest of `message` holds `expected` at `at`. */
export type Proof = {
  /** How many messages were hashed. */
  tries: number;
  message: Uint8Array;
  hash: 'sha256' | 'blake2b-256';
  /** Offset in the digest, and the bytes that it must have there. */
  at: number;
  expected: readonly number[];
};

/** Solves a puzzle made from `seed`: as a user of that library would, from its first candidate on. */
export type Solve = (seed: number) => Proof | Promise<Proof>;

/** A proof-of-work solver, or a hash function in a loop. It runs in Node and in a page, unless it says otherwise. */
export type Solver = {
  name: string;
  /** The package whose version stands beside the name, or null for our own. */
  package: string | null;
  only?: 'node' | 'chromium';
  /** It computes in threads of its own, so that the processor time of all its process counts. */
  isThreaded?: true;
  open(files: Files): Promise<Solve>;
};

/** Bytes that differ from seed to seed; chance is not needed, only that no answer can be known before. */
export function seedBytes(seed: number, sizeBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizeBytes);
  let state = (seed * 0x9e3779b1) | 1;
  for (let i = 0; i < sizeBytes; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

/** Seed bytes as hexadecimal text, for libraries whose salt is a string. */
export const seedText = (seed: number, chars: number) =>
  Array.from(seedBytes(seed, chars / 2), (byte) => byte.toString(16).padStart(2, '0')).join('');
