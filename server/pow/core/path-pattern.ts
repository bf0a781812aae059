/**
 * Patterns of a policy file: segments between slashes, where `*` stands for one whole segment and, at the end, for any
 * number of them, none included. `/demo/*` covers `/demo`, `/demo/` and everything below.
 *
 * Paths are compared without case and without a trailing slash, as the router does it: a gate that is stricter than
 * the router behind it can be walked around.
 */
export type PathPattern = readonly string[];

/** The pattern of `text`, or a sentence that says what is wrong with it. */
export function readPathPattern(text: string): PathPattern | string {
  if (!text.startsWith('/')) return `expected a path that starts with "/", got ${JSON.stringify(text)}`;
  // RFC 3986 §3.3 `pchar` without escapes, and letters beyond ASCII. What clients write now raw and now escaped would be
  // one path to the site and another one here.
  if (!/^[A-Za-z0-9._~!$&'()*+,;=:@/\u0080-\uffff-]+$/.test(text)) {
    return `expected letters, digits and ._~!$&'()*+,;=:@- between slashes, got ${JSON.stringify(text)}`;
  }
  if (!text.isWellFormed()) return `expected Unicode text, got ${JSON.stringify(text)}`;
  // Beyond ASCII a path comes as the escapes of its UTF-8.
  const segments = segmentsOf(encodeURI(text.normalize('NFC')));
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    return `expected a path without "." or ".." segments, got ${JSON.stringify(text)}`;
  }
  if (segments.some((segment) => segment.includes('*') && segment !== '*')) {
    return `expected "*" to stand for a whole segment, got ${JSON.stringify(text)}`;
  }
  return segments;
}

/** Whether one of the patterns covers a normalised path, which comes as `segmentsOf` cuts it. Linear in its length. */
export const isCovered = (patterns: readonly PathPattern[], segments: readonly string[]): boolean =>
  patterns.some((pattern) => matchesSegments(pattern, segments));

function matchesSegments(pattern: PathPattern, segments: readonly string[]): boolean {
  const isOpenEnded = pattern.at(-1) === '*';
  const fixed = isOpenEnded ? pattern.length - 1 : pattern.length;
  if (isOpenEnded ? segments.length < fixed : segments.length !== fixed) return false;
  for (let i = 0; i < fixed; i++) {
    if (pattern[i] !== '*' && pattern[i] !== segments[i]) return false;
  }
  return true;
}

/** A path cut at its slashes, in lower case; of empty segments nothing is left. */
export function segmentsOf(path: string): string[] {
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');
}
