import { type Address, canonicalText, cidrText } from '../../base/address.ts';
import { embeddedIpv4, specialPurposeOf } from '../../base/special-purpose.ts';
import type { Whois } from '../../wire/ip.ts';
import { HOSTING_NETWORKS } from './hosting-networks.ts';
import type { Place } from './place.ts';
import type { CountryFacts, Gazetteer, IpData } from './ports.ts';
import type { NetworkKind } from './risk.ts';

// Members of the European Union, ISO 3166-1 (europa.eu, "Country profiles", 27 members since 2020-02-01).
const EU = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

export type WhoisDeps = {
  data: IpData;
  gazetteer: Gazetteer;
};

export type WhoisFinding = { whois: Whois; kind: NetworkKind };

/** What is known of an address, and of the kind of its network. An IPv4 address inside NAT64 or 6to4 is the one looked up. */
export function lookUp(address: Address, isExtended: boolean, { data, gazetteer }: WhoisDeps): WhoisFinding {
  const embedded = embeddedIpv4(address);
  const target = embedded?.address ?? address;
  const special = specialPurposeOf(target);
  const found = special ? null : data.placeOf(target);
  const provider = special ? null : data.providerOf(target);
  const place = found?.place ?? null;
  const derived = place && deriveFrom(place, gazetteer);
  const facts = derived?.facts;
  const isHostingNetwork = provider !== null && HOSTING_NETWORKS.has(provider.number);
  const kind: NetworkKind = {
    isHosting: isHostingNetwork || data.isListed('hosting', target),
    isVpn: data.isListed('vpn', target),
    isTor: data.isListed('tor', target),
    bogonType: special?.type ?? null,
    provider: provider?.org ?? null,
  };
  const whois: Whois = {
    ip: canonicalText(address),
    ipVersion: address.bytes.length === 4 ? 4 : 6,
    network: special?.cidr ?? (found ? cidrText(target, found.prefixBits) : null),
    isBogon: special !== null,
    bogonType: special?.type ?? null,
    country: facts?.name ?? null,
    countryIso: place?.countryIso ?? null,
    isEu: derived?.isEu ?? null,
    subdivision: place?.subdivision ?? null,
    subdivisionIso: place?.subdivisionIso ?? null,
    city: place?.city ?? null,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    timeZone: derived?.timeZone ?? null,
    isp: provider?.org ?? null,
    ispId: provider?.number ?? null,
    asn: provider && {
      number: provider.number,
      org: provider.org,
      type: isHostingNetwork ? 'hosting' : null,
      network: cidrText(target, provider.prefixBits),
    },
    dataSources: data.sources,
  };
  if (embedded) whois.embedded = { type: embedded.type, ip: canonicalText(embedded.address) };
  if (isExtended) {
    whois.extended = {
      continent: place?.continent ?? facts?.continent ?? null,
      currency: facts?.currency ?? null,
      callingCode: facts?.callingCode ?? null,
      postalCode: place?.postalCode ?? null,
      geonameIds: place?.geonameIds ?? { continent: null, country: null, subdivision: null, city: null },
      isHosting: kind.isHosting,
      isVpn: kind.isVpn,
      isTor: kind.isTor,
      // No open source of the registries' allocations ships as a package today.
      registry: null,
      allocated: null,
    };
  }
  return { whois, kind };
}

// A record serves many addresses, and the same one is asked for again and again: what follows from a place stays with it.
const DERIVED = Symbol('derived');

type Derived = { facts: CountryFacts | null; isEu: boolean | null; timeZone: string | null };

function deriveFrom(place: Place & { [DERIVED]?: Derived }, gazetteer: Gazetteer): Derived {
  let derived = place[DERIVED];
  if (!derived) {
    const { countryIso, latitude, longitude } = place;
    derived = {
      facts: countryIso ? gazetteer.factsOf(countryIso) : null,
      isEu: countryIso ? EU.has(countryIso) : null,
      timeZone:
        place.timeZone ??
        (latitude === null || longitude === null ? null : gazetteer.timeZoneAt(latitude, longitude)),
    };
    place[DERIVED] = derived;
  }
  return derived;
}
