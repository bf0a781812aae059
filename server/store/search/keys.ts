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
  /** By page id (32 bytes): its serial number, and what has to be undone when it goes. */
  page: 11,
  /** By the serial number of its first page: some pages, compressed together. */
  texts: 12,
  /** By serial number and piece: the rest of a long body. */
  piece: 13,
  /** By number of the segment and part: the bytes of a segment. */
  segment: 14,
  /** By number of the segment: a bit for each of its documents, set where it is deleted. */
  tombstones: 15,
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

export function siteIdKey(siteId: string): Buffer {
  return Buffer.concat([plainKey(REGISTRY, KIND.siteNumber), Buffer.from(siteId, 'utf8')]);
}

export const numberOfKey = (key: Buffer): number => key.readUInt32BE(HEAD);
