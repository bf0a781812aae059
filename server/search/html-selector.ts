import { compile, selectAll } from 'css-select';
import { type HtmlElement, type HtmlNode, isElement } from './html-tree.ts';

// Some 100 ms. A selector can be made to try every ancestor for every ancestor (`* * * * x`), or all siblings for each of
// them; a page's own selector stays far below.
const MOST_STEPS = 4_000_000;

const TOO_LONG = new Error('the selector takes too long on this page');

type Adapter = NonNullable<NonNullable<Parameters<typeof compile<HtmlNode, HtmlElement>>[1]>['adapter']>;

/** Whether the text is a CSS selector that can be matched here. */
export function isSelector(text: string): boolean {
  // css-select takes these for selectors that match nothing.
  if (/^$|[>+~|,]$/.test(text.trim())) return false;
  try {
    compile(text, { adapter: createAdapter() });
    return true;
  } catch {
    return false;
  }
}

/** The elements that the selector matches; null where there are none, or it is no selector, or it takes too long. */
export function selectElements(root: HtmlElement, selector: string): ReadonlySet<HtmlElement> | null {
  try {
    const adapter = createAdapter();
    const found = selectAll<HtmlNode, HtmlElement>(selector, root, {
      adapter,
      equals: adapter.equals,
    } as never);
    return found.length > 0 ? new Set(found) : null;
  } catch {
    return null;
  }
}

/** How css-select walks our tree. Each step counts, and beyond the bound the search is broken off. */
function createAdapter(): Adapter & { equals(a: HtmlNode, b: HtmlNode): boolean } {
  let steps = 0;
  const step = (count = 1) => {
    steps += count;
    if (steps > MOST_STEPS) throw TOO_LONG;
  };
  return {
    isTag(node): node is HtmlElement {
      step();
      return isElement(node) && node.parent !== null;
    },
    getAttributeValue(element, name) {
      const value = element.attributes.get(name);
      step(1 + (value?.length ?? 0) / 64);
      return value;
    },
    getChildren: (node) => (isElement(node) ? node.children : []),
    getName(element) {
      step();
      return element.name;
    },
    getParent(node) {
      step();
      return node.parent;
    },
    getSiblings: (node) => node.parent?.children ?? [node],
    getText(node) {
      let text = '';
      const todo: HtmlNode[] = [node];
      for (let next = todo.pop(); next; next = todo.pop()) {
        step();
        if (isElement(next)) {
          for (let i = next.children.length - 1; i >= 0; i--) todo.push(next.children[i]);
        } else {
          step(next.text.length / 16);
          text += next.text;
        }
      }
      return text;
    },
    hasAttrib(element, name) {
      step();
      return element.attributes.has(name);
    },
    removeSubsets: (nodes) => nodes,
    equals(a, b) {
      step();
      return a === b;
    },
  };
}
