/** What a `<finder-config>` asks for. */
export type Settings = {
  /** That of the cookie `override-site` where there is one. */
  siteId: string;
  /** Origin of the server. */
  api: string;
  /** A selector or an id of where the bar goes; null: beside the element itself. */
  parent: string | null;
  searchStyle: string;
  resultsStyle: string;
  /** Null where queries are not reported. */
  trackingId: string | null;
  language: string | null;
  /** `light` or `dark`; anything else: as the page. */
  theme: string | null;
};

/** What is around the element. */
export type Surroundings = { cookie: string; scriptOrigin: string; pageUrl: string };

/** Of several cookies of that name the first that holds the id of a site (a UUID). */
const OVERRIDE = /(?:^|; ?)override-site="?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})"?(?=;|$)/i;

/**
 * Reads the attributes.
 * @throws Error that says what was expected, where there is nothing to search
 */
export function readSettings(
  attributes: Iterable<{ name: string; value: string }>,
  { cookie, scriptOrigin, pageUrl }: Surroundings,
): Settings {
  // HTML lower-cases the names of attributes; `dataset.siteId` writes `data-site-id`.
  const values = new Map(
    [...attributes].map(({ name, value }) => [name.toLowerCase().replace(/^data|-/g, ''), value.trim()]),
  );
  const read = (name: string) => values.get(name) || null;
  // The server, on another origin, is not sent the cookie.
  const siteId = OVERRIDE.exec(cookie)?.[1] ?? read('siteid');
  if (siteId === null) throw new Error('data-siteId is missing');
  return {
    siteId,
    api: new URL(read('api') ?? scriptOrigin, pageUrl).origin,
    parent: read('appendaschildto'),
    searchStyle: read('searchstyle') ?? '',
    resultsStyle: read('resultsstyle') ?? '',
    trackingId: read('analyticstrackingid'),
    language: read('lang'),
    theme: read('theme'),
  };
}
