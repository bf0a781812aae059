/**
 * SHA-256 vectors. Digests are lowercase hex.
 *
 * `fips`: NIST, "SHA-256 examples" to FIPS 180-4 (csrc.nist.gov, Cryptographic Standards and Guidelines, Examples
 * with Intermediate Values) and the million 'a' of FIPS 180-2 appendix B.3.
 * `cavp`: NIST CAVP, SHA256ShortMsg.rsp (byte-oriented), by length in bits.
 */
export const SHA256_VECTORS: readonly { source: string; message: Uint8Array; digest: string }[] = [
  {
    source: 'fips one block',
    message: Buffer.from('abc'),
    digest: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  },
  {
    source: 'fips two blocks, 448 bits',
    message: Buffer.from('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'),
    digest: '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  },
  {
    source: 'fips two blocks, 896 bits',
    message: Buffer.from(
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
    ),
    digest: 'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
  },
  {
    source: "fips a million 'a'",
    message: Buffer.alloc(1_000_000, 'a'),
    digest: 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
  },
  {
    source: 'cavp 0 bits',
    message: Buffer.alloc(0),
    digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  {
    source: 'cavp 8 bits',
    message: Buffer.from('d3', 'hex'),
    digest: '28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1',
  },
];
