import { build } from './build.ts';

/** A text to take along, with a button that copies it. */
export function buildCopyable(label: string, text: string): HTMLElement {
  const button = build('button', { type: 'button' }, 'Copy');
  button.setAttribute('aria-label', `Copy: ${label}`);
  button.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    button.textContent = isCopied ? 'Copied' : 'Not allowed';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  // The clipboard is there in secure contexts only; elsewhere the text can be selected as always.
  button.hidden = navigator.clipboard === undefined;
  return build(
    'div',
    { class: 'copyable' },
    build('p', { class: 'caption' }, label),
    build(
      'div',
      { class: 'copyable-line' },
      build('pre', { tabindex: 0, 'aria-label': label }, text),
      button,
    ),
  );
}

/** What is told this once: it leaves the page with the box. */
export function buildShownOnce(
  title: string,
  note: string,
  texts: readonly (readonly [string, string])[],
): HTMLElement {
  const box: HTMLElement = build(
    'section',
    { class: 'card once', 'aria-label': title, tabindex: -1 },
    build('h3', {}, title),
    build('p', {}, note),
    ...texts.map(([label, text]) => buildCopyable(label, text)),
    build('button', { type: 'button', run: () => box.remove() }, 'I have it; put it away'),
  );
  return box;
}
