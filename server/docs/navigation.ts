import { escapeHtml } from '../http/pages.ts';
import type { Library } from './library.ts';
import type { Heading, RenderedPage } from './markdown.ts';
import { API_PAGE, addressOf } from './page-list.ts';

/** A category with its pages, in the order in which they are read. */
export type Shelf = {
  label: string;
  pages: readonly { address: string; title: string; description: string }[];
};

const REFERENCE = {
  address: addressOf(API_PAGE),
  title: 'API reference',
  description: 'Every endpoint, with a command to try it.',
};

/** The shelves of the list. The reference stands among what one starts with. */
export function shelvesOf({ pages }: Library): Shelf[] {
  const byCategory = Map.groupBy(pages, ({ category }) => category);
  return [...byCategory].map(([label, list], i) => {
    const shown = list.map(({ name, title, description }) => ({
      address: addressOf(name),
      title,
      description,
    }));
    return { label, pages: i === 0 ? [...shown, REFERENCE] : shown };
  });
}

/** The list of all pages; that of `address` is marked and has its own sections below it. */
export function renderPages(
  shelves: readonly Shelf[],
  address: string,
  headings: readonly Heading[],
): string {
  return shelves
    .map(
      ({ label, pages }) =>
        `<p>${escapeHtml(label)}</p>\n<ul>${pages
          .map((page) =>
            page.address === address
              ? `<li>${link(page, ' aria-current="page"')}${sections(headings)}</li>`
              : `<li>${link(page)}</li>`,
          )
          .join('\n')}</ul>`,
    )
    .join('\n');
}

// A page with more sections than this is a register, which nobody reads in a margin.
const MOST_SECTIONS = 24;

function sections(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2);
  if (shown.length === 0 || shown.length > MOST_SECTIONS) return '';
  const items = shown.map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`);
  return `<ul>${items.join('')}</ul>`;
}

/** The first page: what there is to read. */
export function renderIndex(shelves: readonly Shelf[]): RenderedPage {
  const headings = shelves.map(({ label }) => ({
    level: 2,
    id: label.toLowerCase().replace(/ /g, '-'),
    text: label,
  }));
  const parts = shelves.map(
    ({ label, pages }, i) =>
      `<h2 id="${headings[i].id}">${escapeHtml(label)}</h2>\n<ul>${pages
        .map((page) => `<li>${link(page)}: ${escapeHtml(page.description)}</li>`)
        .join('\n')}</ul>`,
  );
  return {
    title: 'Documentation',
    description:
      'How to run Gatehouse: the proof-of-work gate, website search, IP intelligence, and their interface.',
    html: `<h1>Documentation</h1>\n${parts.join('\n')}`,
    headings,
  };
}

/** The pages before and after this one. */
export function renderTurns(shelves: readonly Shelf[], address: string): string {
  const all = shelves.flatMap(({ pages }) => pages);
  const at = all.findIndex((page) => page.address === address);
  const [before, after] = at === -1 ? [undefined, all[0]] : [all[at - 1], all[at + 1]];
  const links = [
    before ? `<a rel="prev" href="${before.address}">Before: ${escapeHtml(before.title)}</a>` : '',
    after ? `<a rel="next" href="${after.address}">Next: ${escapeHtml(after.title)}</a>` : '',
  ];
  return `\n<nav class="turn" aria-label="Before and after">${links.join('\n')}</nav>`;
}

const link = ({ address, title }: { address: string; title: string }, more = '') =>
  `<a href="${address}"${more}>${escapeHtml(title)}</a>`;
