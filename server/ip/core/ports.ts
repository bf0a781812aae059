import type { Address } from '../../base/address.ts';
import type { DataSource } from '../../wire/ip.ts';
import type { Place } from './place.ts';

/** A place, and how many leading bits of the address the record is for. */
export type PlaceMatch = { place: Place; prefixBits: number };

/** Who announces the network of an address. */
export type ProviderMatch = { number: number; org: string | null; prefixBits: number };

/** The kinds of network that lists tell. */
export const LIST_KINDS = ['hosting', 'vpn', 'tor'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** Everything that is known of addresses at one moment; a reload makes another and leaves this one as it is. */
export type IpData = {
  /** Takes an address by its own family: 4 or 16 bytes. */
  placeOf(address: Address): PlaceMatch | null;
  providerOf(address: Address): ProviderMatch | null;
  /** Whether the list holds the address; null where it is not loaded. */
  isListed(kind: ListKind, address: Address): boolean | null;
  /** The sources that answers come from, for attribution. */
  sources: DataSource[];
};

/** What is known of a country by its ISO 3166-1 alpha-2 code. */
export type CountryFacts = {
  name: string | null;
  continent: string | null;
  /** ISO 4217 */
  currency: string | null;
  /** With `+`. */
  callingCode: string | null;
};

/** What the world adds to the records. */
export type Gazetteer = {
  factsOf(countryIso: string): CountryFacts;
  /** The IANA time zone at a point of the globe, or null on the high seas. */
  timeZoneAt(latitude: number, longitude: number): string | null;
};
