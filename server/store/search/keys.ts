/** Keys of the search table: number of the site (u32, big-endian), a byte for the kind of row, and what names the row. */

/** Site 0 holds what belongs to no site. */
export const REGISTRY = 0;

export const KIND = {
  /** In site 0: the version of this format (u8). */
  format: 1,
  /** In site 0, by the site's id in UTF-8: its number (u32, big-endian). */
  siteNumber: 2,
  /** In site 0, by number: a site that was dropped and whose rows are being removed. */
  dropped: 3,
  /** In site 0: the last number given to a site (u32, big-endian). */
  lastNumber: 4,
  /** One row: the site's counts as JSON. */
  state: 10,
  /** By page id (32 bytes): its document number (u32, big-endian). */
  page: 11,
  /** By document: the stored page. */
  document: 12,
  /** By document and piece: the rest of a long body. */
  piece: 13,
  /** By document: its terms, for update and delete. */
  forward: 14,
  /** By document >> 7: norms and dates of 128 documents. */
  norms: 15,
  /** By the first term in UTF-16, big-endian: a chunk of the sorted vocabulary. */
  chunk: 16,
  /** By term number: how many documents, and the postings or the directory of their blocks. With a document: a block. */
  list: 17,
  /** One row: document numbers that deletes have left free. */
  free: 18,
} as const;

type Kind = (typeof KIND)[keyof typeof KIND];

const HEAD = 5;

function head(site: number, kind: Kind, restBytes: number): Buffer {
  const key = Buffer.allocUnsafe(HEAD + restBytes);
  key.writeUInt32BE(site, 0);
  key[4] = kind;
  return key;
}

export const plainKey = (site: number, kind: Kind): Buffer => head(site, kind, 0);

export function numberKey(site: number, kind: Kind, number: number): Buffer {
  const key = head(site, kind, 4);
  key.writeUInt32BE(number, HEAD);
  return key;
}

export function pairKey(site: number, kind: Kind, number: number, second: number): Buffer {
  const key = head(site, kind, 8);
  key.writeUInt32BE(number, HEAD);
  key.writeUInt32BE(second, HEAD + 4);
  return key;
}

/** @param id 64 hexadecimal digits */
export function pageKey(site: number, id: string): Buffer {
  const key = head(site, KIND.page, 32);
  key.fill(0, HEAD);
  key.write(id, HEAD, 'hex');
  return key;
}

/** UTF-16, so that LMDB sorts terms as JavaScript compares them. */
export function chunkKey(site: number, first: string): Buffer {
  const key = head(site, KIND.chunk, first.length * 2);
  for (let i = 0; i < first.length; i++) key.writeUInt16BE(first.charCodeAt(i), HEAD + i * 2);
  return key;
}

export function termOfChunkKey(key: Buffer): string {
  let term = '';
  for (let at = HEAD; at + 1 < key.length; at += 2) term += String.fromCharCode(key.readUInt16BE(at));
  return term;
}

export function siteIdKey(siteId: string): Buffer {
  return Buffer.concat([plainKey(REGISTRY, KIND.siteNumber), Buffer.from(siteId, 'utf8')]);
}

export const numberOfKey = (key: Buffer): number => key.readUInt32BE(HEAD);
