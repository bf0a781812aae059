import * as z from 'zod';
import { parseAddress } from '../base/address.ts';

const EXPECTED = 'expected one IPv4 or IPv6 address, without zone id, prefix length, port or leading zeros';

/** The text of one address. What it is not is said, so that a caller need not guess. */
export const AddressText = z
  .string(EXPECTED)
  .max(64, EXPECTED)
  .refine((text) => parseAddress(text) !== null, { error: EXPECTED })
  .meta({ description: 'an IPv4 or IPv6 address', example: '192.0.2.1' });

export const WhoisQuery = z.object({
  queryIP: AddressText.optional().meta({ description: 'the address; left out: the address that calls' }),
});

const text = z.string().nullable();
const flag = z.boolean().nullable();

export const DataSource = z.object({
  name: z.string(),
  licence: z.string(),
  buildDate: text.meta({ description: 'ISO 8601 date of the data; null where the source does not tell' }),
  attribution: z.string(),
});

/** Unknown is null, never an empty text or −1; a flag whose list is not loaded is null, never false. */
export const Whois = z
  .object({
    ip: z.string().meta({ description: 'RFC 5952 text' }),
    ipVersion: z.union([z.literal(4), z.literal(6)]),
    network: text.meta({ description: 'CIDR of the record that answered' }),
    isBogon: z.boolean().meta({ description: 'in an IANA special-purpose registry, multicast or reserved' }),
    bogonType: text,
    embedded: z
      .object({ type: z.enum(['nat64', '6to4']), ip: z.string() })
      .optional()
      .meta({ description: 'the IPv4 address inside, which is the one looked up' }),
    country: text,
    countryIso: text.meta({ description: 'ISO 3166-1 alpha-2' }),
    isEu: flag,
    subdivision: text,
    subdivisionIso: text.meta({ description: 'ISO 3166-2, without the country' }),
    city: text,
    latitude: z.number().nullable().meta({ description: 'degrees north' }),
    longitude: z.number().nullable().meta({ description: 'degrees east' }),
    timeZone: text.meta({ description: 'IANA name' }),
    isp: text,
    ispId: z.number().int().nullable().meta({ description: 'the AS number of the provider' }),
    asn: z
      .object({
        number: z.number().int(),
        org: text,
        type: text.meta({ description: '`hosting`, or null where unknown' }),
        network: text,
      })
      .nullable(),
    dataSources: z.array(DataSource),
    extended: z
      .object({
        continent: text,
        currency: text.meta({ description: 'ISO 4217' }),
        callingCode: text,
        postalCode: text,
        geonameIds: z.object({
          continent: z.number().int().nullable(),
          country: z.number().int().nullable(),
          subdivision: z.number().int().nullable(),
          city: z.number().int().nullable(),
        }),
        isHosting: flag,
        isVpn: flag,
        isTor: flag,
        registry: text,
        allocated: text,
      })
      .optional()
      .meta({ description: 'with a Pro or Enterprise key' }),
  })
  .meta({ id: 'Whois' });

const MOST_HEADERS = 100;

export const InspectBody = z.object({
  queryIP: AddressText.optional(),
  headers: z
    .record(z.string().max(256), z.union([z.string().max(8_192), z.array(z.string().max(8_192)).max(20)]))
    .refine((headers) => Object.keys(headers).length <= MOST_HEADERS, {
      error: `expected at most ${MOST_HEADERS} headers`,
    })
    .optional()
    .meta({ description: 'the headers that your visitor sent, by name' }),
  email: z.string().max(320).optional().meta({ description: 'the address that your visitor signs up with' }),
});

export const DECISIONS = ['accept', 'verify_email', 'captcha'] as const;

export const Echo = z
  .object({
    method: z.string(),
    httpVersion: z.string(),
    scheme: z.string(),
    host: text,
    uri: z.string(),
    query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    ip: z.string(),
    subject: z
      .enum(['caller', 'query', 'visitor'])
      .meta({ description: '`query`: only what the address says was counted' }),
    fingerprint: text.meta({
      description: 'of the headers; null where only an address was asked about',
    }),
    fingerprintVersion: z.number().int(),
    botLikelihood: z
      .number()
      .nullable()
      .meta({ description: '0..1, a prior by the kind of network; null where that is unknown' }),
    fraud: z.number().meta({ description: '0..1: the capped sum of the weights of the reasons' }),
    decision: z.enum(DECISIONS),
    reasons: z.array(z.object({ code: z.string(), weight: z.number(), detail: z.string() })),
  })
  .meta({ id: 'Echo' });

export const Inspection = z.object({ whois: Whois, echo: Echo }).meta({ id: 'Inspection' });

export type Whois = z.infer<typeof Whois>;
export type DataSource = z.infer<typeof DataSource>;
export type Inspection = z.infer<typeof Inspection>;
export type Decision = (typeof DECISIONS)[number];
