import { cutUtf8 } from '../base/utf8.ts';
import { BODY_BYTES, TITLE_BYTES } from '../wire/page.ts';
import { type HtmlElement, type HtmlNode, isElement } from './html-tree.ts';

// Our choice; no page that people read has so many headings.
const MOST_HEADINGS = 1_000;

// As it stands in the page, white space included: a text of the most bytes with three times as much around it.
const MOST_CHARS = 4 * BODY_BYTES;

const HEADING = /^h[1-6]$/;
// What is part of a line. Everything else stands on lines of its own, unknown elements included.
const INLINE = new Set(
  `a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark meter output progress q ruby rb
   s samp small span strike strong sub sup time tt u var wbr`.split(/\s+/),
);

// White space that is not one space already: most is, and each match costs.
const UNFOLDED = /\s{2,}|[^\S ]/g;

/** White space as one space each, none at the ends. */
export const foldSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * What a reader sees of the tree: its text, a line for each block, and its headings. Only what stands in `taken` counts,
 * or all of it where that is null.
 */
export function readHtmlText(
  root: HtmlElement,
  taken: ReadonlySet<HtmlElement> | null,
): { body: string; headings: string[] } {
  const pieces: string[] = [];
  const headings: string[] = [];
  let chars = 0;
  let takenDepth = taken === null ? 1 : 0;
  let heading: { of: HtmlElement; from: number } | null = null;

  // By hand and not by recursion: a page nests as deeply as it likes. An exit is an entry for the second time.
  const todo: { node: HtmlNode; isExit: boolean }[] = [{ node: root, isExit: false }];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { node, isExit } = next;
    if (!isElement(node)) {
      if (takenDepth > 0 && chars < MOST_CHARS) {
        pieces.push(node.text.slice(0, MOST_CHARS - chars).replace(UNFOLDED, ' '));
        chars += node.text.length;
      }
      continue;
    }
    if (!INLINE.has(node.name)) pieces.push('\n');
    if (isExit) {
      if (heading?.of === node) {
        const text = cutUtf8(foldSpace(pieces.slice(heading.from).join('')), TITLE_BYTES);
        if (text !== '' && headings.length < MOST_HEADINGS) headings.push(text.toWellFormed());
        heading = null;
      }
      if (taken?.has(node)) takenDepth--;
      continue;
    }
    if (taken?.has(node)) takenDepth++;
    // The outermost only: headings in headings would be read once for each level.
    if (heading === null && takenDepth > 0 && HEADING.test(node.name))
      heading = { of: node, from: pieces.length };
    todo.push({ node, isExit: true });
    for (let i = node.children.length - 1; i >= 0; i--) todo.push({ node: node.children[i], isExit: false });
  }
  return { body: joinLines(pieces), headings };
}

function joinLines(pieces: readonly string[]): string {
  const text = pieces
    .join('')
    .replace(/ {2,}/g, ' ')
    .replace(/ \n[ \n]*|\n[ \n]+/g, '\n')
    .trim();
  return cutUtf8(text, BODY_BYTES).toWellFormed();
}
