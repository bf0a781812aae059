import { readFileSync } from 'node:fs';

type Value = unknown;

/**
 * Reads MMDB files straight from the specification of the format 2.0 (https://maxmind.github.io/MaxMind-DB/), without
 * the library that the server uses: the second opinion of the tests.
 */
export function readMmdb(path: string): (bytes: Uint8Array) => { record: Value; prefixBits: number } {
  const file = readFileSync(path);
  const metadataAt = file.lastIndexOf('\xab\xcd\xefMaxMind.com', undefined, 'latin1') + 14;
  const metadata = decode(file.subarray(metadataAt), 0).value as Record<string, number>;
  const { node_count: nodeCount, record_size: recordBits } = metadata;
  const nodeBytes = recordBits / 4;
  const data = file.subarray(nodeCount * nodeBytes + 16);

  function pointerOf(node: number, side: number): number {
    const at = node * nodeBytes;
    if (recordBits === 24) return file.readUIntBE(at + 3 * side, 3);
    if (recordBits === 32) return file.readUInt32BE(at + 4 * side);
    const middle = side === 0 ? file[at + 3] >> 4 : file[at + 3] & 15;
    return middle * 2 ** 24 + file.readUIntBE(side === 0 ? at : at + 4, 3);
  }

  return (bytes) => {
    let node = 0;
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const pointer = pointerOf(node, (bytes[bit >> 3] >> (7 - (bit & 7))) & 1);
      if (pointer === nodeCount) return { record: null, prefixBits: bit + 1 };
      if (pointer > nodeCount) {
        return { record: decode(data, pointer - nodeCount - 16).value, prefixBits: bit + 1 };
      }
      node = pointer;
    }
    return { record: null, prefixBits: bytes.length * 8 };
  };
}

function decode(data: Buffer, start: number): { value: Value; next: number } {
  let at = start + 1;
  let type = data[start] >> 5;
  if (type === 1) {
    const form = (data[start] >> 3) & 3;
    const high = data[start] & 7;
    const [length, base] = [
      [1, 0],
      [2, 2048],
      [3, 526336],
      [4, 0],
    ][form];
    const pointer = data.readUIntBE(at, length) + base + (form === 3 ? 0 : high * 2 ** (8 * length));
    return { value: decode(data, pointer).value, next: at + length };
  }
  if (type === 0) type = data[at++] + 7;
  let size = data[start] & 31;
  if (size >= 29) {
    const length = size - 28;
    size = data.readUIntBE(at, length) + [29, 285, 65_821][length - 1];
    at += length;
  }
  const end = at + size;
  if (type === 2) return { value: data.toString('utf8', at, end), next: end };
  if (type === 3) return { value: data.readDoubleBE(at), next: end };
  if (type === 15) return { value: data.readFloatBE(at), next: end };
  if (type === 14) return { value: size === 1, next: at };
  if (type === 5 || type === 6 || type === 9 || type === 10) {
    let value = 0n;
    for (const byte of data.subarray(at, end)) value = (value << 8n) | BigInt(byte);
    return { value: Number(value), next: end };
  }
  if (type === 7) {
    const map: Record<string, Value> = {};
    for (let i = 0; i < size; i++) {
      const name = decode(data, at);
      const member = decode(data, name.next);
      map[name.value as string] = member.value;
      at = member.next;
    }
    return { value: map, next: at };
  }
  if (type === 11) {
    const array: Value[] = [];
    for (let i = 0; i < size; i++) {
      const member = decode(data, at);
      array.push(member.value);
      at = member.next;
    }
    return { value: array, next: at };
  }
  throw new Error(`a type that the files of the tests do not have: ${type}`);
}
