/* LANES tries at once in vectors of the compiler: 4 (SSE2 to AVX), 8 (AVX2) or 16 (AVX-512). */

#include "search.h"

typedef uint32_t vec __attribute__((vector_size(4 * LANES)));

#if LANES == 16
#include <immintrin.h>
#define ROR(x, n) ((vec)_mm512_ror_epi32((__m512i)(x), n))
#define TERNARY(x, y, z, table) ((vec)_mm512_ternarylogic_epi32((__m512i)(x), (__m512i)(y), (__m512i)(z), table))
#define XOR3(x, y, z) TERNARY(x, y, z, 0x96)
#define CH(x, y, z) TERNARY(x, y, z, 0xca)
#define MAJ(x, y, z) TERNARY(x, y, z, 0xe8)
#else
#define ROR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
#define XOR3(x, y, z) ((x) ^ (y) ^ (z))
#define CH(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define MAJ(x, y, z) ((y) ^ (((x) ^ (y)) & ((y) ^ (z))))
#endif

#define SPLAT(x) ((vec){} + (uint32_t)(x))

/* Word 0 of the digests. */
static inline __attribute__((always_inline)) vec word0(const struct fixed *f, vec w8) {
  const uint32_t *s = f->state8;
  uint32_t fixed8[8];
  memcpy(fixed8, s, sizeof fixed8);
  round_32(fixed8, K[8]);
  vec a = SPLAT(fixed8[0]) + w8, b = SPLAT(fixed8[1]), c = SPLAT(fixed8[2]), d = SPLAT(fixed8[3]);
  vec e = SPLAT(fixed8[4]) + w8, g1 = SPLAT(fixed8[5]), g2 = SPLAT(fixed8[6]), h = SPLAT(fixed8[7]);
  vec w[64];
  w[8] = w8;
#pragma GCC unroll 64
  for (int t = 9; t < 64; t++) {
    vec kw;
    if (t < 23) {
      kw = SPLAT(f->share[t] + K[t]);
    } else {
      vec sum = t < 39 ? SPLAT(f->share[t]) : (vec){};
      if (VARIES(t - 16)) sum += w[t - 16];
      if (VARIES(t - 15)) sum += XOR3(ROR(w[t - 15], 7), ROR(w[t - 15], 18), w[t - 15] >> 3);
      if (VARIES(t - 7)) sum += w[t - 7];
      if (VARIES(t - 2)) sum += XOR3(ROR(w[t - 2], 17), ROR(w[t - 2], 19), w[t - 2] >> 10);
      w[t] = sum;
      kw = sum + K[t];
    }
    vec t1 = kw + h + CH(e, g1, g2) + XOR3(ROR(e, 6), ROR(e, 11), ROR(e, 25));
    vec t2 = XOR3(ROR(a, 2), ROR(a, 13), ROR(a, 22)) + MAJ(a, b, c);
    h = g2, g2 = g1, g1 = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  return a + H[0];
}

static uint32_t solve(const struct fixed *f) {
  for (uint32_t low = 0;; low += LANES) {
    vec w8;
    for (int i = 0; i < LANES; i++) w8[i] = __builtin_bswap32(low + i);
    vec passing = (vec)((word0(f, w8) >> (32 - BITS)) == 0);
    uint32_t any = 0;
    for (int i = 0; i < LANES; i++) any |= passing[i];
    if (__builtin_expect(any != 0, 0))
      for (int i = 0; i < LANES; i++)
        if (passing[i]) return low + i;
  }
}
