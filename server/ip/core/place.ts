/** Where an address is, as far as a record tells. */
export type Place = {
  countryIso: string | null;
  subdivision: string | null;
  /** ISO 3166-2 without the country. */
  subdivisionIso: string | null;
  city: string | null;
  latitude: number | null;
  longitude: number | null;
  timeZone: string | null;
  postalCode: string | null;
  /** ISO-like code of two letters: AF, AN, AS, EU, NA, OC, SA. */
  continent: string | null;
  geonameIds: {
    continent: number | null;
    country: number | null;
    subdivision: number | null;
    city: number | null;
  };
};

type Json = Record<string, unknown>;

/**
 * Reads a record of any of the layouts in use: nested with `names` (MaxMind, and DB-IP's own files), flat with
 * `country_code` and `state1` (the packages on npm), flat with `country` and `region` (IPinfo). Null where it holds no
 * place. Empty texts are unknown: DB-IP's free city file leaves its time zone and postcode so.
 */
export function readPlace(record: unknown): Place | null {
  if (!isJson(record)) return null;
  const place = isJson(record.country) || isJson(record.city) ? readNested(record) : readFlat(record);
  return place.countryIso || place.city || place.latitude !== null || place.continent ? place : null;
}

function readNested(record: Json): Place {
  const [country, city, location] = [record.country, record.city, record.location].map(jsonOf);
  const continent = jsonOf(record.continent);
  // A country without a record of its own is told through the place of registration, which may be another: not used.
  const subdivision = jsonOf(Array.isArray(record.subdivisions) ? record.subdivisions[0] : undefined);
  return {
    countryIso: isoOf(country.iso_code),
    subdivision: nameOf(subdivision),
    subdivisionIso: textOf(subdivision.iso_code),
    city: nameOf(city),
    ...pointOf(location.latitude, location.longitude),
    timeZone: textOf(location.time_zone),
    postalCode: textOf(jsonOf(record.postal).code),
    continent: textOf(continent.code),
    geonameIds: {
      continent: idOf(continent),
      country: idOf(country),
      subdivision: idOf(subdivision),
      city: idOf(city),
    },
  };
}

function readFlat(record: Json): Place {
  return {
    countryIso: isoOf(record.country_code) ?? isoOf(record.country),
    subdivision: textOf(record.state1) ?? textOf(record.region),
    subdivisionIso: textOf(record.region_code),
    city: textOf(record.city),
    ...pointOf(record.latitude ?? record.lat, record.longitude ?? record.lng),
    timeZone: textOf(record.timezone),
    postalCode: textOf(record.postcode) ?? textOf(record.postal_code),
    continent: textOf(record.continent_code),
    geonameIds: { continent: null, country: null, subdivision: null, city: null },
  };
}

/** The provider of an address: MaxMind's and DB-IP's names, and IPinfo's. Null where the record names none. */
export function readProvider(record: unknown): { number: number; org: string | null } | null {
  if (!isJson(record)) return null;
  const number =
    numberOf(record.autonomous_system_number) ?? numberOf(record.as_number) ?? numberOf(record.asn);
  if (number === null || number <= 0 || !Number.isInteger(number)) return null;
  return {
    number,
    org:
      textOf(record.autonomous_system_organization) ??
      textOf(record.as_organization) ??
      textOf(record.as_name),
  };
}

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
// The free files write ZZ where they do not know.
const isoOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Z]{2}$/.test(value) && value !== 'ZZ' ? value : null;
const nameOf = (place: Json): string | null => textOf(jsonOf(place.names).en);
const idOf = (place: Json): number | null =>
  typeof place.geoname_id === 'number' && place.geoname_id > 0 ? place.geoname_id : null;

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const digits = typeof value === 'string' ? /^(?:AS)?(-?\d+(?:\.\d+)?)$/.exec(value.trim()) : null;
  return digits ? Number(digits[1]) : null;
}

// Four decimals are eleven metres, far finer than such data is; floats of 32 bits show their noise beyond.
const rounded = (degrees: number) => Math.round(degrees * 10_000) / 10_000;

function pointOf(north: unknown, east: unknown): { latitude: number | null; longitude: number | null } {
  const [latitude, longitude] = [numberOf(north), numberOf(east)];
  // 0, 0 lies in the Gulf of Guinea: it is how the files write that they do not know.
  const isKnown =
    latitude !== null &&
    longitude !== null &&
    Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 180 &&
    (latitude !== 0 || longitude !== 0);
  return isKnown
    ? { latitude: rounded(latitude), longitude: rounded(longitude) }
    : { latitude: null, longitude: null };
}
