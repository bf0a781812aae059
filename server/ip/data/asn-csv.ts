import type { Address } from '../../base/address.ts';
import type { ProviderMatch } from '../core/ports.ts';
import { createRanges, type Range, type Words } from '../core/ranges.ts';

/**
 * Reads providers from lines of `first,last,number,"name"`, the ends as decimal integers, both inclusive.
 * @throws RangeError with the line that is not of this form or out of order
 */
export function readAsnCsv(ipv4: string, ipv6: string): (address: Address) => ProviderMatch | null {
  const names = new Map<number, string>();
  const v4 = createRanges(
    linesOf(ipv4, names, (text) => [Number(text)]),
    1,
  );
  const v6 = createRanges(linesOf(ipv6, names, wideWords), 4);
  return (address) => {
    const match = (address.bytes.length === 4 ? v4 : v6).find(address);
    return match && { ...match, org: names.get(match.number) || null };
  };
}

function wideWords(text: string): Words {
  const value = BigInt(text);
  return [96n, 64n, 32n, 0n].map((shift) => Number((value >> shift) & 0xffffffffn));
}

function* linesOf(
  csv: string,
  names: Map<number, string>,
  readWords: (text: string) => Words,
): Generator<Range> {
  for (let start = 0; start < csv.length; ) {
    const end = csv.indexOf('\n', start);
    const stop = end < 0 ? csv.length : end;
    const [toLast, toNumber, toName] = commas(csv, start, stop);
    const number = Number(csv.slice(toNumber + 1, toName));
    if (!Number.isInteger(number)) {
      throw new RangeError(`expected first,last,number,name, got ${csv.slice(start, stop).slice(0, 80)}`);
    }
    if (!names.has(number)) names.set(number, unquote(csv.slice(toName + 1, stop).trim()));
    yield {
      first: readWords(csv.slice(start, toLast)),
      last: readWords(csv.slice(toLast + 1, toNumber)),
      number,
    };
    start = stop + 1;
  }
}

function commas(csv: string, start: number, stop: number): [number, number, number] {
  const first = csv.indexOf(',', start);
  const second = csv.indexOf(',', first + 1);
  const third = csv.indexOf(',', second + 1);
  if (first < 0 || second < 0 || third < 0 || third > stop) {
    throw new RangeError(`expected first,last,number,name, got ${csv.slice(start, stop).slice(0, 80)}`);
  }
  return [first, second, third];
}

// RFC 4180 §2: quotes around a field, doubled inside.
const unquote = (field: string) =>
  field.startsWith('"') && field.endsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field;
