import * as z from 'zod';
import { utf8Length } from '../base/utf8.ts';
import { KEY_TIERS } from './access.ts';
import type { DeviceSummary } from './devices.ts';
import { AddressText, type Inspection } from './ip.ts';
import type { Solver } from './pow.ts';
import { QUERY_BYTES } from './search.ts';

// What the operator console reads and writes. It is the page's own and stays out of the OpenAPI document.

export const SignIn = z.object({
  key: z.string().min(1, 'expected the admin key').max(512, 'expected at most 512 characters'),
});

/** Who holds the console open, and what this server has to show. */
export type SessionBody = {
  version: string;
  /** ISO 8601; null for a program that shows the key itself. */
  endsAt: string | null;
  has: { sites: boolean; crawls: boolean };
  /** The process that answered, of how many. */
  process: { pid: number; of: number };
};

const TENANT = 'expected a name of 1 to 100 letters, digits, spaces and . _ @ -';
const tenant = z.string().regex(/^[\w.@ -]{1,100}$/, TENANT);

export const NewKey = z.object({
  tier: z.enum(KEY_TIERS),
  tenant,
  routes: z.array(z.string().min(1).max(64)).max(64, 'expected at most 64 routes').default([]),
});

export type KeyView = {
  keyId: string;
  tier: (typeof KEY_TIERS)[number];
  tenant: string;
  routes: string[];
  /** ISO 8601. */
  issued: string;
  revoked: string | null;
  /** This calendar month of UTC; `quota` null is no bound. */
  usage: { meter: 'ip-lookups' | 'verifications'; used: number; quota: number | null }[];
};
export type KeysBody = { keys: KeyView[]; routes: string[] };
export type IssuedKey = { key: string; keyId: string; tier: string };

export const KeyParams = z.object({ keyId: z.string() });

export const NewConsoleSite = z.object({
  tenant: tenant.nullable().default(null).meta({ description: 'whose it is; null makes a pilot' }),
});

export type SiteView = {
  siteId: string;
  tenant: string | null;
  /** A pilot's one host, else that of a page; null before the first. */
  host: string | null;
  created: string;
  used: string;
  /** When a pilot ends; null for a site of a tenant. */
  ends: string | null;
  pages: number;
  bytes: number;
};
export type SitesBody = { sites: SiteView[]; next: string | null };

export const SitesPage = z.object({ after: z.string().max(64).optional() });

export const TrialQuery = z.object({
  query: z
    .string()
    .transform((text) => text.toWellFormed())
    .refine((text) => utf8Length(text) <= QUERY_BYTES, `expected at most ${QUERY_BYTES} bytes of UTF-8`),
});

/** A text and where the words of the query stand in it: [start, end) in UTF-16 units. Plain, so that no page writes HTML. */
export type MarkedText = { text: string; ranges: readonly (readonly [number, number])[] };
export type TrialBody = {
  total: number;
  suggestion: string | null;
  results: { url: string; title: MarkedText; snippet: MarkedText; score: number }[];
};

type TextCount = { query: string; count: number };
export type QueriesBody = {
  /** The first day that is counted, of UTC. */
  since: string;
  queries: number;
  withoutResult: number;
  top: TextCount[];
  topWithoutResult: TextCount[];
  /** Every day from `since` to today. */
  days: { day: string; queries: number; withoutResult: number }[];
};

export const LookupQuery = z.object({ address: AddressText });
export type LookupBody = { whois: Inspection['whois'] } & Pick<
  Inspection['echo'],
  'fraud' | 'decision' | 'reasons'
>;

/**
 * What happened in each of the last spans of `stepSecs`, the oldest first; the last is still filling, and ends at `endSecs`
 * (Unix seconds). By columns, since that is how they are drawn and most of it is zeros.
 */
export type Series = {
  stepSecs: number;
  endSecs: number;
  issued: number[];
  solved: number[];
  refused: number[];
  admitted: number[];
  lookups: number[];
  /** The mean of the bits of the challenges issued, and the highest; null where none was. */
  meanBits: (number | null)[];
  mostBits: (number | null)[];
};

type Count = { name: string; count: number };
export type GateBody = {
  /** Since when the process that counts longest does, ISO 8601. */
  since: string;
  /** How many processes' counts these are. */
  processes: number;
  totals: { issued: number; solved: number; refused: number; admitted: number; rebound: number };
  lookups: { anonymous: number; keyed: number };
  refusedBy: Count[];
  admittedBy: Count[];
  issuedTo: Count[];
  routes: {
    id: string;
    /** What its policy asks for; null where the policy no longer has it. */
    bits: number | null;
    issued: number;
    refused: number;
    admitted: number;
  }[];
  /** `counts[i]` took at most `edgesSecs[i]` seconds and more than the edge before; the last has no upper edge. */
  solveTimes: {
    edgesSecs: number[];
    /** `solver` is what the clients say of themselves; programs mostly say nothing. */
    groups: { bits: number; solver: Solver | 'unsaid'; counts: number[]; meanSecs: number }[];
  };
  load: { extraBits: number; pressure: number };
  hour: Series;
  day: Series;
};

/** One process of the server. Resident memory counts pages of the store that it has mapped. */
export type ProcessView = { pid: number; upSecs: number; rssBytes: number; heapUsedBytes: number };

export type SystemBody = {
  version: string;
  node: string;
  process: { pid: number; of: number; upSecs: number };
  memory: { rssBytes: number; heapUsedBytes: number; heapTotalBytes: number; externalBytes: number };
  store: { bytes: number; freeBytes: number; isShared: boolean };
  data: { name: string; buildDate: string | null; ageDays: number | null; licence: string }[];
  /** All that answered, the one that was asked among them. */
  processes: ProcessView[];
  /** Which of `POW_KEYS` signs. */
  signingKid: number;
  devices: DeviceSummary;
};
