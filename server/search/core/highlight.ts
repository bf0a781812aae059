import type { Marked } from './ports.ts';

const OPEN = '<span class="pf-highlight">';
const CLOSE = '</span>';

// Unicode property Bidi_Control (UAX #9 §2): whoever writes a page could make what stands after it read backwards.
const BIDI_CONTROLS = /\p{Bidi_Control}/gu;

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML, in an element or in a quoted attribute, without bidi controls; half a surrogate pair becomes U+FFFD. */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    .replace(BIDI_CONTROLS, '')
    .replace(/[&<>"']/g, (character) => ESCAPES[character]);

/**
 * The text as safe HTML, in which the ranges stand in spans: their only markup.
 *
 * A range that cuts a surrogate pair takes all of it; what is out of order or beyond the end is left out, since an index
 * may be somebody else's engine.
 */
export function highlight({ text, ranges }: Marked): string {
  let html = '';
  let at = 0;
  for (const [from, to] of ranges) {
    const start = Math.max(at, isInPair(text, from) ? from - 1 : from);
    const end = Math.min(text.length, isInPair(text, to) ? to + 1 : to);
    if (!(start < end)) continue;
    html += `${escapeHtml(text.slice(at, start))}${OPEN}${escapeHtml(text.slice(start, end))}${CLOSE}`;
    at = end;
  }
  return html + escapeHtml(text.slice(at));
}

/** Whether a cut before `index` would tear a pair. */
function isInPair(text: string, index: number): boolean {
  const isHigh = (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
  return isHigh && (text.charCodeAt(index) & 0xfc00) === 0xdc00;
}
