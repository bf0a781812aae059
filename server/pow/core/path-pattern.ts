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
  if (/[?#%\\\s]/.test(text))
    return `expected a plain path without ? # % \\ or spaces, got ${JSON.stringify(text)}`;
  const segments = segmentsOf(text);
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    return `expected a path without "." or ".." segments, got ${JSON.stringify(text)}`;
  }
  if (segments.some((segment) => segment.includes('*') && segment !== '*')) {
    return `expected "*" to stand for a whole segment, got ${JSON.stringify(text)}`;
  }
  return segments;
}

/** Whether a normalised path is covered by the pattern. Linear in the length of the path. */
export function matchesPath(pattern: PathPattern, path: string): boolean {
  const segments = segmentsOf(path);
  const isOpenEnded = pattern.at(-1) === '*';
  const fixed = isOpenEnded ? pattern.length - 1 : pattern.length;
  if (isOpenEnded ? segments.length < fixed : segments.length !== fixed) return false;
  for (let i = 0; i < fixed; i++) {
    if (pattern[i] !== '*' && pattern[i] !== segments[i]) return false;
  }
  return true;
}

function segmentsOf(path: string): string[] {
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');
}
