import timeZoneAt from '@photostructure/tz-lookup';
import { countries, type TCountryCode } from 'countries-list';
import type { CountryFacts, Gazetteer } from '../core/ports.ts';

/** Facts of countries (countries-list, MIT; English names by Unicode CLDR) and time zones by coordinates (CC0). */
export function createGazetteer(): Gazetteer {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const known = new Map<string, CountryFacts>();
  return {
    factsOf(countryIso) {
      let facts = known.get(countryIso);
      if (!facts) {
        const country = Object.hasOwn(countries, countryIso) ? countries[countryIso as TCountryCode] : null;
        facts = {
          name: names.of(countryIso) ?? country?.name ?? null,
          continent: country?.continent ?? null,
          currency: country?.currency[0] ?? null,
          callingCode: country?.phone[0] ? `+${country.phone[0]}` : null,
        };
        // 676 codes have two letters: it cannot grow beyond.
        known.set(countryIso, facts);
      }
      return facts;
    },
    timeZoneAt(latitude, longitude) {
      const zone = timeZoneAt(latitude, longitude);
      // Etc/GMT±n is how the library writes the high seas.
      return zone.startsWith('Etc/') ? null : zone;
    },
  };
}
