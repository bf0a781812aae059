import type { Random } from '../base/ports.ts';

// 96 bits: no two are ever the same. Sixteen characters, so that the text of many is cut without a rest.
const ID_BYTES = 12;
const ID_CHARACTERS = 16;
// Our choice: 1.5 kB. A text of many costs little more to write than that of one.
const IDS_AT_ONCE = 128;

/** Ids of requests, each given once: 12 random bytes in base64url. */
export function createRequestIds(random: Random): () => string {
  let ids = '';
  let at = 0;
  return () => {
    if (at === ids.length) {
      ids = Buffer.from(random.bytes(ID_BYTES * IDS_AT_ONCE)).toString('base64url');
      at = 0;
    }
    at += ID_CHARACTERS;
    return ids.slice(at - ID_CHARACTERS, at);
  };
}
