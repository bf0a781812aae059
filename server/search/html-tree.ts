import { Parser } from 'htmlparser2';

/** An element of the body. Attributes are in a Map, since a page may well name one `__proto__`. */
export type HtmlElement = {
  name: string;
  attributes: Map<string, string>;
  parent: HtmlElement | null;
  children: HtmlNode[];
};
export type HtmlNode = HtmlElement | { text: string; parent: HtmlElement };

export const isElement = (node: HtmlNode): node is HtmlElement => 'children' in node;

/** An element of the page as it is met: the tree leaves out what is not read, this does not. */
export type OnElement = (name: string, attributes: ReadonlyMap<string, string>, text: string) => void;

// Bounds on hostile pages, our choice. Blink, too, nests 512 deep and no deeper.
const MOST_DEPTH = 512;
const MOST_ELEMENTS = 200_000;
const MOST_TEXTS = 1_000_000;
const MOST_RESTARTS = 64;
const MOST_ATTRIBUTES = 64;
const MOST_VALUE_CHARS = 4_096;
// JSON-LD is read, and is text of a script.
const MOST_HEARD_CHARS = 65_536;

// What a reader does not see, or what is there on every page of a site.
const LEFT_OUT = new Set(
  'script style template nav noscript svg math iframe object select datalist textarea title'.split(' '),
);
const HEARD = new Set('title script meta base link time html'.split(' '));
// Links count wherever they stand: a site's navigation is how a crawler finds its pages.
const HEARD_EVERYWHERE = new Set(['a', 'area']);

const TOO_DEEP = new Error('the page nests too deeply');
const TOO_MANY = new Error('the page has too many parts');

/**
 * The tree of what a reader sees of a page. `onElement` hears of elements that speak about the page, with their text
 * where that is all they have (`title`, `script`).
 *
 * Time and memory are bounded: what nests deeper than 512 is taken as if everything had been closed there (htmlparser2
 * itself searches its stack at each closing tag, which is quadratic), and reading ends with the 200,000th element, the
 * millionth piece of text (each entity and each stray `<` is one), or where a page nests too deeply for the 65th time.
 */
export function readHtmlTree(html: string, onElement: OnElement): HtmlElement {
  const root = makeElement('#root', null);
  let elements = 0;
  let texts = 0;
  const count = {
    element() {
      if (++elements > MOST_ELEMENTS) throw TOO_MANY;
    },
    text() {
      if (++texts > MOST_TEXTS) throw TOO_MANY;
    },
  };
  for (let from = 0, restarts = 0; from < html.length && restarts <= MOST_RESTARTS; restarts++) {
    from += readPart(html.slice(from), root, onElement, count);
  }
  return root;
}

/** Reads from the beginning until the end, or until it nests too deeply; gives how many characters it took. */
function readPart(html: string, root: HtmlElement, onElement: OnElement, count: Count): number {
  // One entry an open element; one that is left out has none of its own.
  const open: Entry[] = [];
  let element = root;
  let leftOut = 0;

  const parser = new Parser({
    onopentagname(name) {
      if (open.length >= MOST_DEPTH) throw TOO_DEEP;
      count.element();
      const isHeard = HEARD_EVERYWHERE.has(name) || (leftOut === 0 && HEARD.has(name));
      const heard = isHeard ? { attributes: new Map<string, string>(), text: '' } : null;
      const isLeftOut = LEFT_OUT.has(name);
      if (isLeftOut) leftOut++;
      let own: HtmlElement | null = null;
      if (leftOut === 0) {
        own = makeElement(name, element);
        element.children.push(own);
        element = own;
      }
      open.push({ name, own, heard, isLeftOut });
    },
    onattribute(name, value) {
      const entry = open[open.length - 1];
      for (const attributes of [entry?.own?.attributes, entry?.heard?.attributes]) {
        if (attributes && attributes.size < MOST_ATTRIBUTES && !attributes.has(name)) {
          attributes.set(name, value.slice(0, MOST_VALUE_CHARS));
        }
      }
      // HTML: what carries this attribute is not shown.
      if (name === 'hidden' && entry && !entry.isLeftOut) {
        entry.isLeftOut = true;
        leftOut++;
      }
    },
    ontext(text) {
      count.text();
      const heard = open[open.length - 1]?.heard;
      if (heard && heard.text.length < MOST_HEARD_CHARS) heard.text += text;
      if (leftOut > 0) return;
      // An entity comes as a text of its own: a flood of them is one node.
      const last = element.children[element.children.length - 1];
      if (last && !isElement(last)) last.text += text;
      else element.children.push({ text, parent: element });
    },
    onclosetag() {
      const closed = open.pop();
      if (!closed) return;
      if (closed.isLeftOut) leftOut--;
      if (closed.own) {
        element = closed.own.parent ?? root;
        if (closed.isLeftOut) element.children.pop();
      }
      if (closed.heard) onElement(closed.name, closed.heard.attributes, closed.heard.text);
    },
  });
  try {
    parser.end(html);
    return html.length;
  } catch (error) {
    if (error === TOO_MANY) return html.length;
    if (error !== TOO_DEEP) throw error;
    // Its metas were heard as they closed; those still open say nothing more. The tag that was too deep is read again.
    return Math.max(1, parser.startIndex);
  }
}

/** Each throws where a page has too many of its kind. */
type Count = { element(): void; text(): void };

type Entry = {
  name: string;
  own: HtmlElement | null;
  heard: { attributes: Map<string, string>; text: string } | null;
  isLeftOut: boolean;
};

const makeElement = (name: string, parent: HtmlElement | null): HtmlElement => ({
  name,
  attributes: new Map(),
  parent,
  children: [],
});
