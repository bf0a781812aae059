import { utf8Length } from './utf8.ts';

/** Bytes of UTF-8 of a page's URL. Our choice: the length that the usual servers and browsers still take. */
export const URL_BYTES = 2_048;

/**
 * The URL of a page in its one spelling, as the WHATWG URL parser writes it and without its fragment.
 *
 * @throws RangeError that says what was expected, where `text` is no absolute http(s) URL, names a user or is too long
 */
export function readPageUrl(text: string): string {
  if (utf8Length(text) > URL_BYTES) throw new RangeError(`expected at most ${URL_BYTES} bytes of UTF-8`);
  return writePageUrl(URL.parse(text));
}

/** The same of a link, from the address where it stands; null where it leads to no page. */
export function readLink(text: string, base: string): string | null {
  const url = URL.parse(text, base);
  if (url === null || url.href.length > URL_BYTES) return null;
  try {
    return writePageUrl(url);
  } catch {
    return null;
  }
}

function writePageUrl(url: URL | null): string {
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new RangeError('expected an absolute http(s) URL');
  // A page that is known by its name and password would give them to everyone who searches.
  if (url.username !== '' || url.password !== '')
    throw new RangeError('expected a URL without user and password');
  if (url.href.includes('#')) url.hash = '';
  if (url.href.length > URL_BYTES)
    throw new RangeError(`expected at most ${URL_BYTES} bytes once written out`);
  return url.href;
}

/** The host of a URL that `readPageUrl` gave, port aside: what a pilot site is bound to. */
export const hostOf = (url: string): string => new URL(url).hostname;
