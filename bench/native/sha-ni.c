/* The SHA instructions, four tries interleaved, from round 8 on. */

#include <immintrin.h>

#include "search.h"

#define STREAMS 4
#define EACH for (int i = 0; i < STREAMS; i++)

static uint32_t solve(const struct fixed *f) {
  const uint32_t *s = f->state8, *w = f->share;
  const __m128i abef = _mm_set_epi32(s[0], s[1], s[4], s[5]), cdgh = _mm_set_epi32(s[2], s[3], s[6], s[7]);
  const __m128i words4 = _mm_loadu_si128((const __m128i *)(w + 4)), words8 = _mm_loadu_si128((const __m128i *)(w + 8));
  const __m128i words12 = _mm_loadu_si128((const __m128i *)(w + 12));
  const __m128i words16 = _mm_loadu_si128((const __m128i *)(w + 16));
  for (uint32_t low = 0;; low += STREAMS) {
    __m128i x[STREAMS], y[STREAMS], kw[STREAMS], m[STREAMS][4];
    EACH {
      x[i] = abef, y[i] = cdgh;
      m[i][0] = words4;
      m[i][1] = _mm_insert_epi32(words8, __builtin_bswap32(low + i), 0);
      m[i][2] = words12;
      m[i][3] = words16;
    }
    /* Words t..t+3 lie in m[t / 4 + 3 modulo 4]; words 4..7 are there for the schedule alone. */
#pragma GCC unroll 16
    for (int t = 8; t < 64; t += 4) {
      const int at = (t / 4 + 3) % 4;
      if (t >= 20) {
        EACH {
          __m128i sum = _mm_sha256msg1_epu32(m[i][at], m[i][(at + 1) % 4]);
          sum = _mm_add_epi32(sum, _mm_alignr_epi8(m[i][(at + 3) % 4], m[i][(at + 2) % 4], 4));
          m[i][at] = _mm_sha256msg2_epu32(sum, m[i][(at + 3) % 4]);
        }
      }
      const __m128i k = _mm_loadu_si128((const __m128i *)(K + t));
      EACH kw[i] = _mm_add_epi32(m[i][at], k);
      EACH y[i] = _mm_sha256rnds2_epu32(y[i], x[i], kw[i]);
      EACH x[i] = _mm_sha256rnds2_epu32(x[i], y[i], _mm_shuffle_epi32(kw[i], 0x0e));
    }
    EACH if ((((uint32_t)_mm_extract_epi32(x[i], 3) + H[0]) >> (32 - BITS)) == 0) return low + i;
  }
}
