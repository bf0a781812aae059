import type { Result } from './answer.ts';
import { fillHighlighted, make } from './elements.ts';

/** A result as an option of the list, at its place in it. A link, so that it opens in a new tab as any other. */
export function makeResult(result: Result, at: number): HTMLAnchorElement {
  const option = make('a', 'result', {
    id: `result-${at}`,
    role: 'option',
    tabindex: '-1',
    'aria-selected': 'false',
    href: result.href,
  });
  // Each in its own direction, whatever that of the page is. Addresses are no pleasure to hear.
  const title = make('span', 'title', { dir: 'auto' });
  const url = make('span', 'url', { dir: 'ltr', 'aria-hidden': 'true' });
  const snippet = make('span', 'snippet', { dir: 'auto' });
  const words = make('span', 'words');
  words.append(
    fillHighlighted(title, result.title || result.url),
    fillHighlighted(url, result.url),
    fillHighlighted(snippet, result.body),
  );
  option.append(words);
  if (result.thumbnail) option.append(makeThumbnail(result.thumbnail));
  return option;
}

function makeThumbnail(address: string): HTMLImageElement {
  const image = make('img', 'thumbnail', {
    alt: '',
    loading: 'lazy',
    referrerpolicy: 'no-referrer',
  });
  image.addEventListener('error', () => image.remove());
  image.src = address;
  return image;
}
