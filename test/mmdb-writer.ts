/** Values that a record of an MMDB file can hold. */
export type MmdbValue = string | number | boolean | { [name: string]: MmdbValue } | MmdbValue[];

type Entry = { bytes: Uint8Array; prefixBits: number; record: MmdbValue };

/**
 * Writes a small file of the MaxMind DB format 2.0 (https://maxmind.github.io/MaxMind-DB/), with records of 24 bits.
 * @param entries disjoint networks; IPv4 ones in a file of version 6 must be given as 16 bytes
 */
export function writeMmdb(
  databaseType: string,
  ipVersion: 4 | 6,
  buildEpochSecs: number,
  entries: readonly Entry[],
): Buffer {
  // A node holds two pointers: to another node, to a record (as −1 − its index), or nowhere.
  const nodes: [number | null, number | null][] = [[null, null]];
  const data: Buffer[] = [];
  for (const { bytes, prefixBits, record } of entries) {
    let node = 0;
    for (let bit = 0; bit < prefixBits; bit++) {
      const side = ((bytes[bit >> 3] >> (7 - (bit & 7))) & 1) as 0 | 1;
      if (bit === prefixBits - 1) {
        nodes[node][side] = -1 - data.length;
        data.push(encode(record));
      } else {
        if (nodes[node][side] === null) nodes[node][side] = nodes.push([null, null]) - 1;
        node = nodes[node][side] as number;
      }
    }
  }
  const offsets: number[] = [];
  let length = 0;
  for (const record of data) {
    offsets.push(length);
    length += record.length;
  }
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [i, sides] of nodes.entries()) {
    for (const [side, pointer] of sides.entries()) {
      const value =
        pointer === null ? nodes.length : pointer < 0 ? nodes.length + 16 + offsets[-1 - pointer] : pointer;
      tree.writeUIntBE(value, i * 6 + side * 3, 3);
    }
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: buildEpochSecs,
    database_type: databaseType,
    description: {},
    ip_version: ipVersion,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  });
  return Buffer.concat([
    tree,
    Buffer.alloc(16),
    ...data,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    metadata,
  ]);
}

// Types of the format: 2 text, 3 double, 6 u32, 7 map; extended ones stand behind a byte of type − 7: 11 array, 14 boolean.
function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([control(2, text.length), text]);
  }
  if (typeof value === 'boolean') return Buffer.from([value ? 1 : 0, 14 - 7]);
  if (typeof value === 'number') {
    if (Number.isInteger(value) && value >= 0) {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return Buffer.concat([control(6, 4), bytes]);
    }
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return Buffer.concat([control(3, 8), bytes]);
  }
  if (Array.isArray(value)) {
    return Buffer.concat([Buffer.from([value.length, 11 - 7]), ...value.map(encode)]);
  }
  const members = Object.entries(value);
  return Buffer.concat([
    control(7, members.length),
    ...members.flatMap(([name, member]) => [encode(name), encode(member)]),
  ]);
}

// A size of 29 and more stands in the next byte.
function control(type: number, size: number): Buffer {
  return size < 29 ? Buffer.from([(type << 5) | size]) : Buffer.from([(type << 5) | 29, size - 29]);
}
