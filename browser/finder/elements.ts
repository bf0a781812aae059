import { readHighlighted } from './highlighted.ts';

/** A new element with a part by which a page may reach it. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  part: string,
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (part) element.setAttribute('part', part);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A drawing of one line, on a field of 24 by 24. */
export function draw(line: string): SVGElement {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', line);
  icon.append(path);
  return icon;
}

/** Fills `element` with a highlighted text of an answer, node by node. */
export function fillHighlighted<Filled extends HTMLElement>(element: Filled, html: string): Filled {
  element.append(
    ...readHighlighted(html).map(({ text, isMarked }) => {
      if (!isMarked) return text;
      const mark = make('span', 'highlight', { class: 'pf-highlight' });
      mark.textContent = text;
      return mark;
    }),
  );
  return element;
}

/** The nodes of a text with `slot` in bold. */
export function emphasise(text: string, slot: string, value: string): (string | HTMLElement)[] {
  const [before, after = ''] = text.split(slot);
  const bold = document.createElement('b');
  bold.textContent = value;
  return [before, bold, after];
}
