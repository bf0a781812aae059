/**
 * A pattern of RFC 9309 §2.2.3 made ready: literal pieces between the `*`, and whether a `$` ends it. A pattern matches
 * from the beginning of a path; without `$` whatever follows does not matter.
 */
export type PathPattern = {
  pieces: readonly string[];
  isAnchored: boolean;
  /** Octets of the pattern (RFC 9309 §2.2.2): of two that match the longer one counts. */
  length: number;
};

/** Reads a pattern; escapes are written in one way, so that `/%7Ea`, `/~a` and `/ä` and `/%C3%A4` meet (§2.2.2). */
export function readPathPattern(text: string): PathPattern {
  const isAnchored = text.endsWith('$');
  const path = normaliseEscapes(isAnchored ? text.slice(0, -1) : text);
  return { pieces: path.split(/\*+/), isAnchored, length: normaliseEscapes(text).length };
}

/**
 * Whether `path` (with its query, as `normaliseEscapes` writes it) fits.
 *
 * Each piece is looked for once, from where the one before ended: taking the first place is always right, since later
 * pieces lose nothing by it. No backtracking, so forty `*` cost forty searches.
 */
export function matchesPath({ pieces, isAnchored }: PathPattern, path: string): boolean {
  const [first, ...rest] = pieces;
  if (!path.startsWith(first)) return false;
  if (rest.length === 0) return !isAnchored || path.length === first.length;
  let at = first.length;
  const last = isAnchored ? rest.pop() : undefined;
  for (const piece of rest) {
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return last === undefined || (path.length - last.length >= at && path.endsWith(last));
}

const UNRESERVED = /[A-Za-z0-9\-._~]/;

/**
 * One spelling of a path (RFC 9309 §2.2.2, RFC 3986 §6.2.2): what needs no escape has none, what is no ASCII has its
 * UTF-8 escaped, escapes are in upper case.
 */
export function normaliseEscapes(text: string): string {
  return text.replace(/%([0-9a-f]{2})|[^\x21-\x7e]+/gi, (found, hex: string | undefined) => {
    if (hex === undefined) return encodeURI(found.toWellFormed()).toUpperCase();
    const char = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(char) ? char : found.toUpperCase();
  });
}
