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
  {
    source: 'cavp 16 bits',
    message: Buffer.from('11af', 'hex'),
    digest: '5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98',
  },
  {
    source: 'cavp 24 bits',
    message: Buffer.from('b4190e', 'hex'),
    digest: 'dff2e73091f6c05e528896c4c831b9448653dc2ff043528f6769437bc7b975c2',
  },
  {
    source: 'cavp 32 bits',
    message: Buffer.from('74ba2521', 'hex'),
    digest: 'b16aa56be3880d18cd41e68384cf1ec8c17680c45a02b1575dc1518923ae8b0e',
  },
  {
    source: 'cavp 384 bits',
    message: Buffer.from(
      '4eef5107459bddf8f24fc7656fd4896da8711db50400c0164847f692b886ce8d7f4d67395090b3534efd7b0d298da34b',
      'hex',
    ),
    digest: '7c5d14ed83dab875ac25ce7feed6ef837d58e79dc601fb3c1fca48d4464e8b83',
  },
  {
    source: 'cavp 440 bits',
    message: Buffer.from(
      '3ebfb06db8c38d5ba037f1363e118550aad94606e26835a01af05078533cc25f2f39573c04b632f62f68c294ab31f2a3e2a1a0d8c2be51',
      'hex',
    ),
    digest: '6595a2ef537a69ba8583dfbf7f5bec0ab1f93ce4c8ee1916eff44a93af5749c4',
  },
  {
    source: 'cavp 448 bits',
    message: Buffer.from(
      '2d52447d1244d2ebc28650e7b05654bad35b3a68eedc7f8515306b496d75f3e73385dd1b002625024b81a02f2fd6dffb6e6d561cb7d0bd7a',
      'hex',
    ),
    digest: 'cfb88d6faf2de3a69d36195acec2e255e2af2b7d933997f348e09f6ce5758360',
  },
  {
    source: 'cavp 504 bits',
    message: Buffer.from(
      'e2f76e97606a872e317439f1a03fcd92e632e5bd4e7cbc4e97f1afc19a16fde92d77cbe546416b51640cddb92af996534dfd81edb17c4424cf1ac4d75aceeb',
      'hex',
    ),
    digest: '18041bd4665083001fba8c5411d2d748e8abbfdcdfd9218cb02b68a78e7d4c23',
  },
  {
    source: 'cavp 512 bits',
    message: Buffer.from(
      '5a86b737eaea8ee976a0a24da63e7ed7eefad18a101c1211e2b3650c5187c2a8a650547208251f6d4237e661c7bf4c77f335390394c37fa1a9f9be836ac28509',
      'hex',
    ),
    digest: '42e61e174fbb3897d6dd6cef3dd2802fe67b331953b06114a65c772859dfc1aa',
  },
];
