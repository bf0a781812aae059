// Any origin would do: it only has to come out again.
const BASE = 'http://origin.invalid';
// Our choice; no honest link is longer.
const MOST_CHARS = 4_096;

/**
 * The path, query and fragment of this origin that `text` names, or null where it may lead anywhere else.
 *
 * Browsers read a backslash as a slash, drop tabs and line ends and take `//` for the start of a host (WHATWG URL
 * §4.4), so none of these is let through, and what comes out is what the parser wrote.
 */
export function readReturnPath(text: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (text.length > MOST_CHARS || !/^\/(?![/\\])[^\\\x00-\x20\x7f]*$/.test(text)) return null;
  const url = URL.parse(text, BASE);
  if (!url || url.origin !== BASE) return null;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // `/.//host` is a path to the parser, which writes it as `//host`.
  return path.startsWith('//') ? null : path;
}
