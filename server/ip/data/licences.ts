/** What the makers of IP data ask to be told of them, by how the type of their files begins. */
const KNOWN = [
  {
    begins: 'DBIP-',
    licence: 'CC BY 4.0',
    attribution: 'IP Geolocation by DB-IP (https://db-ip.com)',
  },
  {
    begins: 'GeoLite2-',
    licence: 'GeoLite End User License Agreement',
    attribution:
      'This product includes GeoLite Data created by MaxMind, available from https://www.maxmind.com',
  },
  {
    begins: 'GeoIP2-',
    licence: 'MaxMind End User License Agreement',
    attribution: 'MaxMind (https://www.maxmind.com)',
  },
  {
    begins: 'ipinfo',
    licence: 'as agreed with IPinfo',
    attribution: 'IP address data powered by IPinfo (https://ipinfo.io)',
  },
];

/** Licence and attribution of a file by its type; another maker's is named by its type alone. */
export function termsOfUse(databaseType: string): { licence: string; attribution: string } {
  const known = KNOWN.find(({ begins }) => databaseType.toLowerCase().startsWith(begins.toLowerCase()));
  return known
    ? { licence: known.licence, attribution: known.attribution }
    : { licence: 'as agreed with its maker', attribution: databaseType };
}
