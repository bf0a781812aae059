/* libcrypto, a whole digest each: SHA256(), or with STEPS its older Init, Update and Final. */

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "search.h"

static uint32_t solve(const struct fixed *f) {
  uint8_t message[40], digest[32];
  memcpy(message, f->message, 40);
  for (uint32_t answer = 0;; answer++) {
    memcpy(message + 32, &answer, 4);
#ifdef STEPS
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, message, 40);
    SHA256_Final(digest, &context);
#else
    SHA256(message, 40, digest);
#endif
    if (digest[0] == 0 && digest[1] == 0) return answer;
  }
}
