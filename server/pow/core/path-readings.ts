// Our choice: no honest link needs more, and together they bound what one request can make us do.
const MAX_PATH_CHARS = 2_048;
const MAX_DECODINGS = 4;
const MAX_READINGS = 64;
const MAX_CHARS_IN_ALL = 16_384;

/**
 * Every path that the software behind some proxy may take a request target for, or null where there are too many.
 *
 * Our own server refuses a target that can be read in two ways (`http/normalise-path.ts`); that of others may serve it.
 * So the target is decoded again and again, and at each step folded as servers and frameworks do it, alone and
 * together. Who gates a path gates it where any of its readings is gated.
 *
 * @param target origin form or absolute form (RFC 9112 §3.2), with or without a query; bytes beyond ASCII as Latin-1,
 *   which is how Node gives a header
 */
export function pathReadings(target: string): string[] | null {
  const path = pathOf(target);
  if (path.length > MAX_PATH_CHARS) return null;
  const readings = new Set<string>();
  // Each folding is decoded further, not the target alone: who resolves `..` first and decodes then reads another path
  // than who decodes first, since an escaped slash makes segments only when decoded.
  let texts: ReadonlySet<string> = new Set([path]);
  for (let decodings = 0; decodings <= MAX_DECODINGS; decodings++) {
    const spellings = spellingsOf(texts);
    if (!spellings || !addReadings(spellings, readings)) return null;
    const decoded = new Set([...spellings].map(decodeOnce).filter((text) => !spellings.has(text)));
    if (decoded.size === 0) return [...readings];
    texts = decoded;
  }
  return null;
}

/** The path as it came: without query and authority, in ASCII. */
function pathOf(target: string): string {
  const path = target
    .replace(/\?.*$/s, '')
    .replace(/^[a-z][a-z0-9+.-]*:[\\/]{2}[^\\/#]*/i, '')
    .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  return path.startsWith('/') ? path : `/${path}`;
}

// Each is taken and left, in any order, so every combination is a reading.
const FOLDS: readonly ((path: string) => string)[] = [
  // A decoded `?` or `#` ends the path where a target is parsed after it was decoded.
  (path) => path.replace(/[?#].*$/s, ''),
  // C ends a text at NUL; the URL parser of browsers and Node drops tabs and line ends (WHATWG URL §4.4).
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  (path) => path.replace(/\x00.*$/s, ''),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  (path) => path.replace(/[\x00-\x1f\x7f]/g, ''),
  (path) => path.replaceAll('\\', '/'),
  // Who normalises may decode nothing but what needs no escape (RFC 3986 §6.2.2.2), and resolve dots after that; the URL
  // parser takes escaped dots alone for dots.
  (path) => path.replace(UNRESERVED, (escaped) => String.fromCharCode(Number.parseInt(escaped.slice(1), 16))),
  // `new URL('//a/b', base)` takes `a` for the host (RFC 3986 §4.2).
  (path) => path.replace(/^\/{2,}[^/]*\/?/, '/'),
  // Servlet containers cut the parameters of a segment (RFC 3986 §3.3) before they look for dots.
  (path) => path.replace(/;[^/]*/g, ''),
  // Windows ignores dots and spaces at the end of a name.
  (path) => path.replace(/(?<=[^/. ])[. ]+(?=\/|$)/g, ''),
  (path) => resolveDots(path, false),
  (path) => resolveDots(path, true),
  // Letters that are others after a compatibility mapping, such as full-width ones (Unicode UAX #15).
  (path) => path.normalize('NFKC').toUpperCase().toLowerCase(),
];

/**
 * The texts and every folding of them, in whatever order; null where they have become too many. Two parsers in a row
 * fold twice: `/.//a/b` resolves to `//a/b`, of which the next one takes `a` for the host.
 */
function spellingsOf(texts: ReadonlySet<string>): ReadonlySet<string> | null {
  const spellings = new Set(texts);
  // What is added while a set is walked is walked as well.
  for (const spelling of spellings) {
    for (const fold of FOLDS) spellings.add(fold(spelling));
    if (!isBounded(spellings)) return null;
  }
  return spellings;
}

/** Adds what the spellings are to who matches a pattern, and sees neither case nor empty segments; false where too many. */
function addReadings(spellings: ReadonlySet<string>, readings: Set<string>): boolean {
  for (const spelling of spellings) readings.add(spelling.toLowerCase().replace(/\/{2,}/g, '/'));
  return isBounded(readings);
}

function isBounded(texts: ReadonlySet<string>): boolean {
  let chars = 0;
  for (const text of texts) chars += text.length;
  return texts.size <= MAX_READINGS && chars <= MAX_CHARS_IN_ALL;
}

/** Without `.` and `..` (RFC 3986 §5.2.4). `..` takes an empty segment away, unless slashes are merged first. */
function resolveDots(path: string, isMerging: boolean): string {
  const kept: string[] = [];
  for (const segment of path.split('/').slice(1)) {
    if (segment === '..') kept.pop();
    else if (segment !== '.' && !(isMerging && segment === '')) kept.push(segment);
  }
  return `/${kept.join('/')}`;
}

const UNRESERVED = /%(?:2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi;

// One byte of ASCII, or the bytes of one longer character (RFC 3629 §3), or a byte that begins none.
const ESCAPED = /%[0-7][0-9a-f]|%[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3}|%[89a-f][0-9a-f]/gi;

/** Decodes each escape once, as UTF-8, or as Latin-1 what is none; a broken escape stays. */
function decodeOnce(text: string): string {
  return text.replace(ESCAPED, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes.replace(/%(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    }
  });
}
