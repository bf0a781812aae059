import { matchesPath, normaliseEscapes, type PathPattern, readPathPattern } from './path-pattern.ts';

/** Pages whose path fits get the label. */
export type CategoryRule = { label: string; path: string; pattern: PathPattern };

// A label is a word for a chip; the index takes at most 256 bytes (wire/page.ts).
const MOST_LABEL_CHARS = 64;

/**
 * Reads what stands behind `Category:`: a label, in double quotes where it has spaces, white space, and a pattern of
 * RFC 9309. A `#` ends the line, unless it is in the quotes.
 * @returns the rule, or what was expected
 */
export function readCategory(value: string): CategoryRule | string {
  const found = /^\s*(?:"([^"]*)"|([^\s"#]+))\s+([^\s#]+)\s*(?:#.*)?$/s.exec(value);
  if (!found) return 'expected `Category: <label> <path pattern>`, a label with spaces in double quotes';
  const [, quoted, word, path] = found;
  const label = (quoted ?? word).replace(/\s+/g, ' ').trim().toWellFormed();
  if (label === '' || [...label].length > MOST_LABEL_CHARS) {
    return `expected a label of 1 to ${MOST_LABEL_CHARS} characters`;
  }
  if (!/^[/*]/.test(path)) return 'expected a path pattern that begins with `/` or `*`';
  return { label, path, pattern: readPathPattern(path) };
}

/** Every label whose pattern fits the path with its query, each once, in the order of the lines. */
export function labelsOf(rules: readonly CategoryRule[], pathAndQuery: string): string[] {
  const path = normaliseEscapes(pathAndQuery);
  const labels = rules.filter(({ pattern }) => matchesPath(pattern, path)).map(({ label }) => label);
  return [...new Set(labels)];
}
