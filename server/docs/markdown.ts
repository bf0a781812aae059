import MarkdownIt, { type Token } from 'markdown-it';
import { escapeHtml } from '../http/pages.ts';

export type Heading = { level: number; id: string; text: string };

/** A page of the documentation as it is served. */
export type RenderedPage = {
  /** The text of its first heading. */
  title: string;
  /** Its first paragraph, plain, at most about 160 characters: what search engines show. */
  description: string;
  html: string;
  /** All but the title, in order. */
  headings: readonly Heading[];
};

/** Where what a page names is served: a page or a picture by its address in the text. Null: it is not served. */
export type Addresses = {
  link(href: string): string | null;
  image(src: string): { src: string; width: number; height: number } | null;
};

// Longer ones are cut by those who show them.
const DESCRIPTION_LENGTH = 160;

/**
 * Renders a page of Markdown (CommonMark with tables).
 *
 * HTML in the text is shown as text, and links of other schemes than http, https and mailto are left out: whatever a page
 * says, nothing of it runs. Each heading has an anchor, named as GitHub names it, so that links work in both places.
 */
export function renderMarkdown(text: string, addresses: Addresses): RenderedPage {
  const markdown = new MarkdownIt({ html: false, linkify: false });
  const tokens = markdown.parse(text, {});
  const headings = nameHeadings(tokens);
  const inlines = tokens.flatMap((token) => token.children ?? []);
  readdressLinks(inlines, addresses);
  for (const token of inlines.filter(({ type }) => type === 'image')) placeImage(token, addresses);

  const { rules } = markdown.renderer;
  // What is wider than a phone scrolls by itself; so it must be reachable by keyboard (WCAG 2.2, 2.1.1).
  rules.table_open = () => '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.fence = (all, i) => `<pre tabindex="0"><code>${escapeHtml(all[i].content)}</code></pre>\n`;
  rules.code_block = rules.fence;
  rules.heading_close = (all, i) => {
    const open = all[i - 2];
    // The sign comes from the style sheet: it is no part of the text, for a search either.
    const anchor = `<a class="anchor" href="#${open.attrGet('id')}" aria-label="Link to this section"></a>`;
    return open.tag === 'h1' ? '</h1>\n' : ` ${anchor}</${open.tag}>\n`;
  };
  return {
    title: headings[0]?.level === 1 ? headings[0].text : 'Documentation',
    description: describe(tokens),
    html: markdown.renderer.render(tokens, markdown.options, {}),
    headings: headings.filter(({ level }) => level > 1),
  };
}

function nameHeadings(tokens: readonly Token[]): Heading[] {
  const taken = new Map<string, number>();
  return tokens.flatMap((token, i) => {
    if (token.type !== 'heading_open') return [];
    const text = plainText(tokens[i + 1]);
    const slug = slugOf(text);
    const times = taken.get(slug) ?? 0;
    taken.set(slug, times + 1);
    const id = times === 0 ? slug : `${slug}-${times}`;
    token.attrSet('id', id);
    return [{ level: Number(token.tag.slice(1)), id, text }];
  });
}

/** As GitHub writes anchors: lower case, without punctuation, `-` for each space. */
const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replace(/ /g, '-');

/** A link that leads nowhere keeps its text and is none. */
function readdressLinks(inlines: readonly Token[], { link }: Addresses): void {
  const open: Token[] = [];
  for (const token of inlines) {
    if (token.type === 'link_open') {
      open.push(token);
      const href = link(String(token.attrGet('href') ?? ''));
      if (href !== null) {
        token.attrSet('href', href);
        continue;
      }
      token.tag = 'span';
      token.attrs = null;
    } else if (token.type === 'link_close') token.tag = open.pop()?.tag ?? 'a';
  }
}

function placeImage(token: Token, { image }: Addresses): void {
  const placed = image(String(token.attrGet('src') ?? ''));
  if (placed === null) {
    Object.assign(token, { type: 'text', content: token.content, tag: '', children: null });
    return;
  }
  token.attrSet('src', placed.src);
  token.attrSet('width', String(placed.width));
  token.attrSet('height', String(placed.height));
  token.attrSet('loading', 'lazy');
}

function describe(tokens: readonly Token[]): string {
  const at = tokens.findIndex(({ type, level }) => type === 'paragraph_open' && level === 0);
  const text = at === -1 ? '' : plainText(tokens[at + 1]);
  if (text.length <= DESCRIPTION_LENGTH) return text;
  return `${text.slice(0, DESCRIPTION_LENGTH).replace(/\s+\S*$/, '')}…`;
}

const plainText = ({ children }: Token) =>
  (children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('')
    .trim();
