import type { Address } from '../base/address.ts';
import { parseAddress } from '../base/address.ts';
import type { Digest } from '../base/ports.ts';
import type { Inspection, Whois } from '../wire/ip.ts';
import { findInEmail } from './core/email.ts';
import {
  FINGERPRINT_VERSION,
  findInHeaders,
  fingerprintOf,
  readHeaders,
  redactHeaders,
} from './core/headers.ts';
import type { Gazetteer, IpData } from './core/ports.ts';
import { botLikelihoodOf, type Finding, findInAddress, type Risk, scoreFindings } from './core/risk.ts';
import { lookUp } from './core/whois.ts';

export type IntelligenceDeps = {
  /** Read at every call, so that a reload takes effect without a restart. */
  data(): IpData;
  gazetteer: Gazetteer;
  /** Whether a User-Agent names a program. */
  isDeclaredBot(userAgent: string): boolean;
  /** Whether a domain, in lower case, hands out addresses that last for minutes. */
  isDisposable(domain: string): boolean;
  digest: Digest;
};

export type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Who is inspected: an address, and the headers and the e-mail address where they are the visitor's own. */
export type Subject = {
  address: Address;
  headers: HeaderRecord | null;
  email: string | null;
};

export type Intelligence = ReturnType<typeof createIntelligence>;

/** What is known of addresses and visitors. Keeps nothing of either. */
export function createIntelligence({
  data,
  gazetteer,
  isDeclaredBot,
  isDisposable,
  digest,
}: IntelligenceDeps) {
  const world = () => ({ data: data(), gazetteer });

  /** Everything that the score of a visitor is made of, and the score. */
  function assess({ address, headers, email }: Subject, isExtended: boolean) {
    const { whois, kind } = lookUp(address, isExtended, world());
    const read = headers && readHeaders(headers);
    const findings: Finding[] = [
      ...findInAddress(kind),
      ...(read ? findInHeaders(read, isDeclaredBot) : []),
      ...(email === null ? [] : findInEmail(email, isDisposable)),
    ];
    return { whois, kind, read, risk: scoreFindings(findings) };
  }

  return {
    /** Country, provider and network of an address. */
    whois: (address: Address, isExtended: boolean): Whois => lookUp(address, isExtended, world()).whois,

    /** The score alone, for who must decide about a visitor at once. */
    score: (subject: Subject): Risk => assess(subject, false).risk,

    /** Address, visitor and score in one answer. `request` is what is echoed besides. */
    inspect(
      subject: Subject,
      isExtended: boolean,
      request: Pick<
        Inspection['echo'],
        'method' | 'httpVersion' | 'scheme' | 'host' | 'uri' | 'query' | 'subject'
      >,
    ): Inspection {
      const { whois, kind, read, risk } = assess(subject, isExtended);
      return {
        whois,
        echo: {
          ...request,
          headers: redactHeaders(subject.headers ?? {}),
          ip: whois.ip,
          fingerprint: read && fingerprintOf(read, (text) => digest.sha256(new TextEncoder().encode(text))),
          fingerprintVersion: FINGERPRINT_VERSION,
          botLikelihood: botLikelihoodOf(kind),
          ...risk,
        },
      };
    },
  };
}

/** The address of a text that a schema has let in already. */
export function addressOf(text: string): Address {
  const address = parseAddress(text);
  if (!address) throw new RangeError('the schema let something in that is no address');
  return address;
}
