import {
  createByteWriter,
  readVarint,
  takeBytes,
  writeBytes,
  writeVarint,
} from '../../search/core/varint.ts';
import type { Chunk } from '../../search/core/vocabulary.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Bytes: how many terms; for each its length in UTF-16 units, number and class as varints; then all terms in UTF-8. */
export function writeChunk({ terms, numbers, classes }: Chunk): Uint8Array {
  const writer = createByteWriter(4_096);
  writeVarint(writer, terms.length);
  for (const [i, term] of terms.entries()) {
    writeVarint(writer, term.length);
    writeVarint(writer, numbers[i]);
    writeVarint(writer, classes[i]);
  }
  writeBytes(writer, encoder.encode(terms.join('')));
  return takeBytes(writer);
}

/** The chunk that `writeChunk` wrote. */
export function readChunk(bytes: Uint8Array): Chunk {
  const reader = { bytes, at: 0 };
  const count = readVarint(reader);
  const lengths: number[] = [];
  const numbers: number[] = [];
  const classes: number[] = [];
  for (let i = 0; i < count; i++) {
    lengths.push(readVarint(reader));
    numbers.push(readVarint(reader));
    classes.push(readVarint(reader));
  }
  const text = decoder.decode(bytes.subarray(reader.at));
  const terms: string[] = [];
  let at = 0;
  for (const length of lengths) {
    terms.push(text.slice(at, at + length));
    at += length;
  }
  return { terms, numbers, classes };
}
