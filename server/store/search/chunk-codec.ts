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

const CLASSES = 16;

/**
 * Bytes: how many terms; for each, as varints: UTF-16 units that it shares with the one before it times 16, plus its
 * class; units that follow; its number. Then what follows of all terms, in UTF-8.
 */
export function writeChunk({ terms, numbers, classes }: Chunk): Uint8Array {
  const writer = createByteWriter(4_096);
  writeVarint(writer, terms.length);
  let rests = '';
  let last = '';
  for (const [i, term] of terms.entries()) {
    const shared = unitsShared(last, term);
    writeVarint(writer, shared * CLASSES + Math.min(classes[i], CLASSES - 1));
    writeVarint(writer, term.length - shared);
    writeVarint(writer, numbers[i]);
    rests += term.slice(shared);
    last = term;
  }
  writeBytes(writer, encoder.encode(rests));
  return takeBytes(writer);
}

// Never half of a surrogate pair: UTF-8 has no form for the other half.
function unitsShared(last: string, term: string): number {
  const most = Math.min(last.length, term.length);
  let shared = 0;
  while (shared < most && last.charCodeAt(shared) === term.charCodeAt(shared)) shared++;
  return shared > 0 && (term.charCodeAt(shared - 1) & 0xfc00) === 0xd800 ? shared - 1 : shared;
}

/** The chunk that `writeChunk` wrote. */
export function readChunk(bytes: Uint8Array): Chunk {
  const reader = { bytes, at: 0 };
  const count = readVarint(reader);
  const shared: number[] = [];
  const lengths: number[] = [];
  const numbers: number[] = [];
  const classes: number[] = [];
  for (let i = 0; i < count; i++) {
    const front = readVarint(reader);
    shared.push(Math.floor(front / CLASSES));
    classes.push(front % CLASSES);
    lengths.push(readVarint(reader));
    numbers.push(readVarint(reader));
  }
  const text = decoder.decode(bytes.subarray(reader.at));
  const terms: string[] = [];
  let at = 0;
  let last = '';
  for (const [i, length] of lengths.entries()) {
    last = last.slice(0, shared[i]) + text.slice(at, at + length);
    terms.push(last);
    at += length;
  }
  return { terms, numbers, classes };
}
