/** A piece of a text, and whether it is what was searched for. */
export type Piece = { text: string; isMarked: boolean };

const OPEN = '<span class="pf-highlight">';
const CLOSE = '</span>';
const MARKUP = new RegExp(`(${OPEN}|${CLOSE})`);

// What the server writes for the five characters that HTML reserves; nothing else is an entity in its answers.
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/**
 * The pieces of a highlighted text of an answer.
 *
 * Only the one span and the five entities that the server writes are read; whatever else looks like markup stays text. So
 * nothing is ever parsed as HTML, which Trusted Types would refuse, and a server gone wrong can show no more than letters.
 */
export function readHighlighted(html: string): Piece[] {
  const pieces: Piece[] = [];
  let isMarked = false;
  for (const part of html.split(MARKUP)) {
    if (part === OPEN) isMarked = true;
    else if (part === CLOSE) isMarked = false;
    else if (part !== '') pieces.push({ text: unescapeHtml(part), isMarked });
  }
  return pieces;
}

const unescapeHtml = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]);
