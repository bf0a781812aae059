import type { Address } from '../../base/address.ts';
import type { ProviderMatch } from '../core/ports.ts';
import { createRanges, type Range, type Words } from '../core/ranges.ts';

/**
 * Reads providers from lines of `first,last,number,"name"`, the ends as decimal integers, both inclusive.
 * @throws RangeError with the line that is not of this form or out of order
 */
export function readAsnCsv(ipv4: string, ipv6: string): (address: Address) => ProviderMatch | null {
  const list = createProviderList();
  const v4 = createRanges(
    linesOf(ipv4, list, (text) => [Number(text)]),
    1,
  );
  const v6 = createRanges(linesOf(ipv6, list, wideWords), 4);
  return (address) => {
    const match = (address.bytes.length === 4 ? v4 : v6).find(address);
    if (!match) return null;
    const { number, org } = list.providers[match.number];
    return { number, org, prefixBits: match.prefixBits };
  };
}

type ProviderList = {
  providers: { number: number; org: string | null }[];
  /** Where the provider of this number is; `readName` is asked at its first line. */
  placeOf(number: number, readName: () => string): number;
};

/** Providers by their place in a list: ranges hold that place, so that a look-up has nothing more to search. */
function createProviderList(): ProviderList {
  const providers: ProviderList['providers'] = [];
  const places = new Map<number, number>();
  return {
    providers,
    placeOf(number, readName) {
      let place = places.get(number);
      if (place === undefined) {
        place = providers.push({ number, org: readName() || null }) - 1;
        places.set(number, place);
      }
      return place;
    },
  };
}

function wideWords(text: string): Words {
  const value = BigInt(text);
  return [96n, 64n, 32n, 0n].map((shift) => Number((value >> shift) & 0xffffffffn));
}

function* linesOf(csv: string, list: ProviderList, readWords: (text: string) => Words): Generator<Range> {
  for (let start = 0; start < csv.length; ) {
    const end = csv.indexOf('\n', start);
    const stop = end < 0 ? csv.length : end;
    const [toLast, toNumber, toName] = commas(csv, start, stop);
    const number = Number(csv.slice(toNumber + 1, toName));
    if (!Number.isInteger(number)) {
      throw new RangeError(`expected first,last,number,name, got ${csv.slice(start, stop).slice(0, 80)}`);
    }
    yield {
      first: readWords(csv.slice(start, toLast)),
      last: readWords(csv.slice(toLast + 1, toNumber)),
      number: list.placeOf(number, () => unquote(csv.slice(toName + 1, stop).trim())),
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
