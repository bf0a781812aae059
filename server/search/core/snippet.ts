import { OFFSET_EVERY } from './page-postings.ts';
import type { Marked } from './ports.ts';
import type { TextTools } from './text-tools.ts';
import { scanTerms, type TermSink } from './tokens.ts';

/** Our choice: what fits two or three lines of a result. */
const WINDOW_WORDS = 30;
const SNIPPET_UNITS = 240;

/** The position at which the window with the most different and worthiest words of the query begins. */
export function bestWindow(
  found: readonly { position: number; word: number }[],
  worths: readonly number[],
): number {
  let best = 0;
  let bestWorth = -1;
  const counts = new Uint32Array(worths.length);
  let end = 0;
  let worth = 0;
  for (const { position, word } of found) {
    while (end < found.length && found[end].position < position + WINDOW_WORDS) {
      const one = found[end++].word;
      // A word again is worth little beside another word.
      worth += counts[one]++ === 0 ? worths[one] : worths[one] * 0.05;
    }
    if (worth > bestWorth + 1e-9) {
      bestWorth = worth;
      best = position;
    }
    worth -= --counts[word] === 0 ? worths[word] : worths[word] * 0.05;
  }
  return best;
}

/** Where to read the body from, to find the word at `position`: an offset, and the position of the first word there. */
export function offsetBefore(
  offsets: readonly number[],
  position: number,
): { offset: number; position: number } {
  const step = Math.min(Math.floor(position / OFFSET_EVERY), offsets.length);
  return step === 0
    ? { offset: 0, position: 0 }
    : { offset: offsets[step - 1], position: step * OFFSET_EVERY };
}

/** Terms that are to be marked, and a mark at each ASCII character that one of them begins with. */
export type Wanted = { terms: ReadonlySet<string>; starts: Uint8Array };

export function makeWanted(terms: ReadonlySet<string>): Wanted {
  const starts = new Uint8Array(128);
  for (const term of terms) starts[term.charCodeAt(0) & 127] = 1;
  return { terms, starts };
}

/** Marks in `text` the words that are wanted. */
export function markText(text: string, wanted: Wanted, tools: Pick<TextTools, 'segment'>): Marked {
  const spans: [number, number][] = [];
  const sink: TermSink = (term, _position, start, end) => {
    if (wanted.terms.has(term)) spans.push([start, end]);
  };
  scanTerms(text, tools, sink, 0, 0, text.length, wanted.starts);
  return { text, ranges: spans.length < 2 ? spans : joinSpans(spans) };
}

/** Ascending, and disjoint: spans that touch or overlap become one. */
export function joinSpans(spans: readonly (readonly [number, number])[]): [number, number][] {
  const joined: [number, number][] = [];
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

/**
 * The part of `text` around `start`, from the beginning of a word and about 240 UTF-16 units long, in one line.
 * An ellipsis stands where the text goes on.
 */
export function cutSnippet(
  text: string,
  start: number,
  isWholeBefore: boolean,
  isWholeAfter: boolean,
): string {
  // A little of what comes before tells what it is about.
  let from = Math.max(0, start - 60);
  if (text.length - from < SNIPPET_UNITS) from = Math.max(0, text.length - SNIPPET_UNITS);
  if (from > 0) {
    let space = from;
    while (space < start && !isSpace(text.charCodeAt(space))) space++;
    if (space < start) from = space + 1;
  }
  let to = Math.min(text.length, from + SNIPPET_UNITS);
  if (to < text.length) {
    let space = to - 1;
    while (space > from && !isSpace(text.charCodeAt(space))) space--;
    if (space - from > SNIPPET_UNITS / 2) to = space;
  }
  if (from > 0 && isLowSurrogate(text, from)) from++;
  if (to < text.length && isLowSurrogate(text, to)) to--;
  const line = oneLine(text.slice(from, to));
  const before = from > 0 || !isWholeBefore ? '… ' : '';
  return `${before}${line}${to < text.length || !isWholeAfter ? ' …' : ''}`;
}

/** White space and controls (category Cc) as single spaces, without those at the ends. */
function oneLine(text: string): string {
  let line = '';
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at);
    const isGap = at === text.length || code <= 32 || (code >= 127 && (code < 160 || isSpace(code)));
    if (!isGap) continue;
    if (at > from) line += line === '' ? text.slice(from, at) : ` ${text.slice(from, at)}`;
    from = at + 1;
  }
  return line;
}

// ECMAScript's WhiteSpace and LineTerminator, beyond ASCII.
const SPACES = new Set([0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]);
const isSpace = (code: number): boolean =>
  code < 160
    ? code === 32 || (code >= 9 && code <= 13)
    : SPACES.has(code) || (code >= 0x2000 && code <= 0x200a);

const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
