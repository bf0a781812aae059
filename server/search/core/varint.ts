/** Unsigned integers below 2^32 in seven-bit groups, the lowest first; the high bit says that more follow (LEB128). */

/** A buffer that grows, and where it is written next. */
export type ByteWriter = { bytes: Uint8Array; at: number };

export const createByteWriter = (sizeBytes = 256): ByteWriter => ({
  bytes: new Uint8Array(sizeBytes),
  at: 0,
});

/** Makes room for `moreBytes`. */
export function reserve(writer: ByteWriter, moreBytes: number): void {
  const needed = writer.at + moreBytes;
  if (needed <= writer.bytes.length) return;
  const grown = new Uint8Array(Math.max(needed, writer.bytes.length * 2));
  grown.set(writer.bytes.subarray(0, writer.at));
  writer.bytes = grown;
}

export function writeVarint(writer: ByteWriter, value: number): void {
  reserve(writer, 5);
  const { bytes } = writer;
  let rest = value;
  while (rest > 127) {
    bytes[writer.at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[writer.at++] = rest;
}

export function writeBytes(writer: ByteWriter, source: Uint8Array, start = 0, end = source.length): void {
  reserve(writer, end - start);
  // Most runs are a few bytes long, for which a loop is faster than `set` on a view.
  if (end - start < 24) {
    for (let i = start; i < end; i++) writer.bytes[writer.at++] = source[i];
  } else {
    writer.bytes.set(source.subarray(start, end), writer.at);
    writer.at += end - start;
  }
}

/** The bytes written so far, as a copy of their own. */
export const takeBytes = (writer: ByteWriter): Uint8Array => writer.bytes.slice(0, writer.at);

/** Bytes that are read, and where. */
export type ByteReader = { bytes: Uint8Array; at: number };

/** @throws RangeError where the bytes end inside a number: the store holds something else than was written */
export function readVarint(reader: ByteReader): number {
  const { bytes } = reader;
  let byte = bytes[reader.at++];
  if (byte < 128) return byte;
  let value = byte & 127;
  for (let shift = 7; ; shift += 7) {
    byte = bytes[reader.at++];
    if (byte === undefined || shift > 28) throw new RangeError('a number is cut off in the index');
    value |= (byte & 127) << shift;
    if (byte < 128) return value >>> 0;
  }
}

/** Ascending numbers as their differences. */
export function writeAscending(writer: ByteWriter, values: ArrayLike<number>): void {
  writeVarint(writer, values.length);
  let last = 0;
  for (let i = 0; i < values.length; i++) {
    writeVarint(writer, values[i] - last);
    last = values[i];
  }
}

export function readAscending(reader: ByteReader): number[] {
  const count = readVarint(reader);
  const values: number[] = [];
  let last = 0;
  for (let i = 0; i < count; i++) {
    last += readVarint(reader);
    values.push(last);
  }
  return values;
}
