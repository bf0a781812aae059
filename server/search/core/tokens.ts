import { ASCII_WORD, classOf, DENSE, IGNORED, SEPARATOR, WORD } from './characters.ts';
import { fold } from './fold.ts';
import type { TextTools } from './text-tools.ts';

/** Our choice: longer words are cut, so that a text without spaces fills neither memory nor keys. In UTF-16 units. */
export const LONGEST_TERM = 64;

/** What a term is of its text. */
export const PLAIN = 0;
/** Several words with their joints, such as `node.js`, `c++` or `snake_case`: its parts stand in the text as well. */
export const COMPOUND = 1;
/** A part of a word that changes from small to capital letters. */
export const CAMEL_PART = 2;
/** Two characters of a dense script. */
export const BIGRAM = 3;

export type Role = typeof PLAIN | typeof COMPOUND | typeof CAMEL_PART | typeof BIGRAM;

/**
 * Takes one term. `position` counts words (in dense scripts characters); `start` and `end` are UTF-16 offsets.
 * A compound comes before its last part, with the position of its first.
 */
export type TermSink = (term: string, position: number, start: number, end: number, role: Role) => void;

// A word of small ASCII letters and digits is its own folded form; one of ASCII and other characters is not.
const SMALL_SHAPE = 1;
const OTHER_SHAPE = 4;
const MOST_PARTS = 8;
const CAMEL = /[\p{Ll}\p{N}]\p{Lu}/u;
const CAMEL_PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|\p{Lu}+/gu;

/**
 * Hands every term of `text` from offset `from` to `to` to `sink`, the positions starting at `position`.
 * Linear in the length of the text.
 * @param starts where it is given, words of ASCII come only if it has a mark at a character that they, or parts of them, begin with
 * @returns the position after the last word
 */
export function scanTerms(
  text: string,
  tools: Pick<TextTools, 'segment'>,
  sink: TermSink,
  position = 0,
  from = 0,
  to = text.length,
  starts: Uint8Array | null = null,
): number {
  let at = from;
  let next = position;
  // The compound that the coming word may continue: where it began, and how many words it has.
  let compoundStart = -1;
  let compoundPosition = 0;
  let parts = 0;
  while (at < to) {
    const start = at;
    // Nearly all characters of most texts are ASCII, and all that is asked of them is in one table.
    let shape = 0;
    let code = text.charCodeAt(at);
    while (code < 128 && at < to && ASCII_WORD[code] !== 0) {
      shape |= ASCII_WORD[code];
      code = text.charCodeAt(++at);
    }
    if (code >= 128 && at < to) {
      code = text.codePointAt(at) as number;
      const kind = classOf(code);
      if (at === start && kind === DENSE) {
        at = endOfRun(text, at, to, DENSE);
        next = scanDense(text, start, at, tools, sink, next);
        continue;
      }
      if (kind === WORD || (kind === IGNORED && at > start)) {
        shape = OTHER_SHAPE;
        at = endOfRun(text, at, to, WORD);
      } else if (at === start) {
        at += code > 0xffff ? 2 : 1;
        continue;
      }
    } else if (at === start) {
      at++;
      continue;
    }
    if (compoundStart < 0) {
      const hasDot = start > from && text.charCodeAt(start - 1) === 46 && !isWordAt(text, start - 2, from);
      compoundStart = hasDot ? start - 1 : start;
      compoundPosition = next;
      parts = 0;
    }
    parts++;
    const joint = jointAfter(text, at, to);
    const isLast = joint === 0 || parts >= MOST_PARTS;
    if (isLast) {
      const suffixed = endOfSuffix(text, at, to);
      const isCompound = parts > 1 || suffixed > at || compoundStart < start;
      if (isCompound && suffixed - compoundStart <= LONGEST_TERM) {
        sink(fold(text.slice(compoundStart, suffixed)), compoundPosition, compoundStart, suffixed, COMPOUND);
      }
      compoundStart = -1;
    }
    if (shape === SMALL_SHAPE && at - start <= LONGEST_TERM) {
      if (starts === null || starts[text.charCodeAt(start)] !== 0)
        sink(text.slice(start, at), next, start, at, PLAIN);
    } else if (starts === null || shape >= OTHER_SHAPE || hasStart(text, start, at, starts))
      emitWord(text, start, at, next, sink);
    next++;
    at += joint;
  }
  return next;
}

// Whether an ASCII word or one of its parts may begin with a marked character: a part begins where a small letter does not
// follow a small letter.
function hasStart(text: string, start: number, end: number, starts: Uint8Array): boolean {
  let isSmall = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const wasSmall = isSmall;
    isSmall = code >= 97;
    if (!(wasSmall && isSmall) && starts[code >= 65 && code <= 90 ? code + 32 : code] !== 0) return true;
  }
  return false;
}

function emitWord(text: string, start: number, end: number, position: number, sink: TermSink): void {
  const word = text.slice(start, Math.min(end, start + LONGEST_TERM));
  const term = fold(word).slice(0, LONGEST_TERM);
  if (term === '') return;
  sink(term, position, start, end, PLAIN);
  if (word.length < 4 || term === word || !CAMEL.test(word)) return;
  for (const match of word.matchAll(CAMEL_PARTS)) {
    const part = fold(match[0]);
    if (part.length < 2 || part === term) continue;
    sink(part, position, start + match.index, start + match.index + match[0].length, CAMEL_PART);
  }
}

// Segments are words; pairs of characters find what was segmented in another way in another sentence.
function scanDense(
  text: string,
  start: number,
  end: number,
  tools: Pick<TextTools, 'segment'>,
  sink: TermSink,
  position: number,
): number {
  const run = text.slice(start, end);
  const characters = Array.from(run);
  const ends = tools.segment(run);
  let offset = 0;
  let nextEnd = 0;
  let segmentStart = 0;
  let segmentPosition = position;
  for (const [i, character] of characters.entries()) {
    const following = characters[i + 1];
    const after = offset + character.length;
    if (following !== undefined) {
      const bigram = fold(character + following);
      if (bigram !== '') sink(bigram, position + i, start + offset, start + after + following.length, BIGRAM);
    }
    if (after === ends[nextEnd]) {
      const length = position + i + 1 - segmentPosition;
      const term = fold(run.slice(segmentStart, after)).slice(0, LONGEST_TERM);
      // A segment of two characters is its own bigram.
      if (length !== 2 && term !== '')
        sink(term, segmentPosition, start + segmentStart, start + after, PLAIN);
      segmentStart = after;
      segmentPosition = position + i + 1;
      nextEnd++;
    }
    offset = after;
  }
  return position + characters.length;
}

function endOfRun(text: string, start: number, to: number, kind: number): number {
  let at = start;
  while (at < to) {
    const unit = text.charCodeAt(at);
    const code = unit >= 0xd800 && unit <= 0xdbff ? (text.codePointAt(at) as number) : unit;
    const found = classOf(code);
    if (found !== kind && found !== IGNORED) break;
    at += code > 0xffff ? 2 : 1;
  }
  return at;
}

// The width of what joins this word with the next: . - _ or ::, directly followed by a word.
function jointAfter(text: string, at: number, to: number): number {
  const code = text.charCodeAt(at);
  const width =
    code === 46 || code === 45 || code === 95 ? 1 : code === 58 && text.charCodeAt(at + 1) === 58 ? 2 : 0;
  return width > 0 && at + width < to && classOf(text.charCodeAt(at + width)) === WORD ? width : 0;
}

// `+` and `#` that end a name, as in C++, C# and a+; not before another word.
function endOfSuffix(text: string, at: number, to: number): number {
  let end = at;
  while (end < to && end < at + 2 && (text.charCodeAt(end) === 43 || text.charCodeAt(end) === 35)) end++;
  return end;
}

const isWordAt = (text: string, at: number, from: number): boolean =>
  at >= from && classOf(text.charCodeAt(at)) !== SEPARATOR;
