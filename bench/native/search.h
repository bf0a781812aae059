/* What the native programs share: the same puzzle, the same shortcuts and the same output as the solver's own bench.

   usage: program <seed> <milliseconds>
   Solves puzzles of 16 bits made from the seed until so much processor time is over. Writes "<tries> <milliseconds>", then a line
   "<nonce in hex> <answer>" for each, so that another program can check them. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BITS 16

/* FIPS 180-4, section 4.2.2. */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* FIPS 180-4, section 5.3.3. */
static const uint32_t H[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

/* What does not change while only word 8, the answer's low word, does (see assembly/slots.ts). */
struct fixed {
  uint8_t message[40];
  uint32_t state8[8];   /* a..h before round 8 */
  uint32_t share[64];   /* W[t], or of W[16..38] the terms that word 8 does not reach */
};

#define VARIES(t) ((t) == 8 || (t) >= 23)

static inline uint32_t ror32(uint32_t x, int n) { return (x >> n) | (x << (32 - n)); }
static inline uint32_t sigma0_32(uint32_t x) { return ror32(x, 7) ^ ror32(x, 18) ^ (x >> 3); }
static inline uint32_t sigma1_32(uint32_t x) { return ror32(x, 17) ^ ror32(x, 19) ^ (x >> 10); }

/* One round, FIPS 180-4 section 6.2.2, step 3. */
static inline void round_32(uint32_t s[8], uint32_t kw) {
  uint32_t a = s[0], b = s[1], c = s[2], e = s[4];
  uint32_t t1 = s[7] + (ror32(e, 6) ^ ror32(e, 11) ^ ror32(e, 25)) + (s[6] ^ (e & (s[5] ^ s[6]))) + kw;
  uint32_t t2 = (ror32(a, 2) ^ ror32(a, 13) ^ ror32(a, 22)) + (b ^ ((a ^ b) & (b ^ c)));
  memmove(s + 1, s, 28);
  s[4] += t1;
  s[0] = t1 + t2;
}

static void fix(struct fixed *f, const uint8_t nonce[32]) {
  memcpy(f->message, nonce, 32);
  memset(f->message + 32, 0, 8);
  uint32_t *w = f->share;
  for (int t = 0; t < 16; t++) w[t] = 0;
  for (int t = 0; t < 8; t++)
    w[t] = (uint32_t)nonce[4 * t] << 24 | nonce[4 * t + 1] << 16 | nonce[4 * t + 2] << 8 | nonce[4 * t + 3];
  w[10] = 0x80000000;
  w[15] = 320;
  for (int t = 16; t < 39; t++)
    w[t] = (VARIES(t - 2) ? 0 : sigma1_32(w[t - 2])) + (VARIES(t - 7) ? 0 : w[t - 7]) +
           (VARIES(t - 15) ? 0 : sigma0_32(w[t - 15])) + (VARIES(t - 16) ? 0 : w[t - 16]);
  memcpy(f->state8, H, 32);
  for (int t = 0; t < 8; t++) round_32(f->state8, K[t] + w[t]);
}

/* The first answer below 2^32 whose digest begins with BITS zeros. Each program has its own. */
static uint32_t solve(const struct fixed *f);

static double now_ms(void) {
  struct timespec at;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
  return at.tv_sec * 1e3 + at.tv_nsec / 1e6;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  uint64_t seed = strtoull(arguments[1], NULL, 10);
  double most_ms = strtod(arguments[2], NULL), spent_ms = 0;
  static struct { uint8_t nonce[32]; uint32_t answer; } solved[1 << 16];
  uint64_t tries = 0;
  int puzzles = 0;
  double started_ms = now_ms();
  while (spent_ms < most_ms && puzzles < 1 << 16) {
    uint8_t *nonce = solved[puzzles].nonce;
    for (int i = 0; i < 32; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      nonce[i] = (uint8_t)(seed >> 56);
    }
    struct fixed f;
    fix(&f, nonce);
    solved[puzzles].answer = solve(&f);
    tries += (uint64_t)solved[puzzles++].answer + 1;
    spent_ms = now_ms() - started_ms;
  }
  printf("%llu %.3f\n", (unsigned long long)tries, spent_ms);
  for (int i = 0; i < puzzles; i++) {
    for (int j = 0; j < 32; j++) printf("%02x", solved[i].nonce[j]);
    printf(" %u\n", solved[i].answer);
  }
  return 0;
}
