import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Addresses, type RenderedPage, renderMarkdown } from './markdown.ts';
import { addressOf, CATEGORIES, type Listed, OTHERS } from './page-list.ts';
import { readPngSize } from './png-size.ts';

export type DocsPage = RenderedPage & { name: string; category: string };

/** The documentation as it is served, read and rendered once. */
export type Library = {
  /** In the order of the list. */
  pages: readonly DocsPage[];
  /** PNG files of `docs/images/` by their names. */
  images: ReadonlyMap<string, Buffer>;
};

const README = 'README.md';

/** Reads the documentation of the project in `root`. No request ever reaches the disk, so none can name a file outside. */
export function readLibrary(root: string): Library {
  const entries = listEntries(root);
  const names = new Map(entries.flatMap(({ file, name, section }) => (section ? [] : [[file, name]])));
  const images = readImages(join(root, 'docs', 'images'));
  const pages = entries.flatMap(({ name, file, section, category }) => {
    const whole = readFileSync(join(root, file), 'utf8');
    const text = section === undefined ? whole : cutSection(whole, section);
    // A front page that somebody wrote anew may have no such section.
    if (text === null) return [];
    return [{ name, category, ...renderMarkdown(text, addressesFrom(file, names, images)) }];
  });
  return { pages, images };
}

/** What stands under a heading of the second level, as a page of its own; null where there is none. */
export function cutSection(markdown: string, title: string): string | null {
  const parts = markdown.split(/^(?=## )/m);
  const part = parts.find((text) => text.startsWith(`## ${title}\n`));
  return part === undefined ? null : part.replace(/^#(#+ )/gm, '$1');
}

function listEntries(root: string): (Listed & { category: string })[] {
  const listed = CATEGORIES.flatMap(({ label, pages }) =>
    pages.map((page) => ({ ...page, category: label })),
  );
  const known = new Set(listed.map(({ file }) => file));
  const others = readdirSync(join(root, 'docs'))
    .filter((file) => /^[a-z0-9-]+\.md$/.test(file) && !known.has(`docs/${file}`))
    .sort()
    .map((file) => ({ name: file.slice(0, -3), file: `docs/${file}`, category: OTHERS }));
  return [...listed, ...others].filter(({ file }) => existsSync(join(root, file)));
}

function readImages(folder: string): Map<string, Buffer> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder).filter((file) => /^[a-z0-9-]+\.png$/.test(file));
  return new Map(files.map((file) => [file, readFileSync(join(folder, file))]));
}

/** What the addresses in the text of `file` lead to: other files of the project, by relative paths. */
function addressesFrom(
  file: string,
  names: ReadonlyMap<string, string>,
  images: ReadonlyMap<string, Buffer>,
): Addresses {
  const resolve = (href: string) => new URL(href, `file:///${file}`);
  return {
    link(href) {
      if (href.startsWith('#') || /^(https?|mailto):/i.test(href)) return href;
      const { protocol, pathname, hash } = resolve(href);
      if (protocol !== 'file:') return null;
      const path = pathname.slice(1);
      // The index takes the place of the project's front page.
      if (path === README) return '/docs/';
      const name = names.get(path);
      return name === undefined ? null : addressOf(name) + hash;
    },
    image(src) {
      const [, name] = /^\/docs\/images\/([^/]+)$/.exec(resolve(src).pathname) ?? [];
      const bytes = name === undefined ? undefined : images.get(name);
      return bytes ? { src: `/docs/images/${name}`, ...readPngSize(bytes) } : null;
    },
  };
}
