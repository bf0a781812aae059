/** What a request says of the page that made it. Empty texts where it says nothing. */
export type Provenance = { method: string; origin: string; secFetchSite: string; host: string };

// RFC 6454 §6.1: scheme, host and port, and nothing behind.
const ORIGIN = /^https?:\/\/([^/?#@\\\s]+)$/i;
const READS = ['GET', 'HEAD'];

/**
 * Whether a request with a cookie may come from the console's own page.
 *
 * `Sec-Fetch-Site` (Fetch Metadata §2.3) is the browser's word and no page can set it, so it decides where it is sent,
 * behind a proxy that rewrites `Host` as well. It is missing on plain HTTP: there the host of `Origin` must be ours, and what
 * changes something must say where it comes from at all. A sibling subdomain is `same-site` and refused: `SameSite=Strict`
 * alone would let it in.
 */
export function isFromOwnPage({ method, origin, secFetchSite, host }: Provenance): boolean {
  if (secFetchSite !== '')
    return secFetchSite === 'same-origin' || (secFetchSite === 'none' && READS.includes(method));
  // A browser leaves the usual port out of both. `null`, of a page without an origin, is no host.
  if (origin !== '') return host !== '' && ORIGIN.exec(origin)?.[1].toLowerCase() === host.toLowerCase();
  return READS.includes(method);
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Whether a cookie can do without `Secure`: only where no network lies between, on the names of this machine. Some browsers
 * keep no `Secure` cookie of `http://localhost`.
 */
export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host);
