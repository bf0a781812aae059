const SHOWN_MS = 2_000;

/** A line for a terminal or a page's source; the button beside it copies what is shown. */
export function createCommand(code: HTMLElement): { show(text: string): void } {
  const button = code.closest('.terminal-line')?.querySelector('button');
  if (button) {
    // The clipboard is there in secure contexts only; elsewhere the text can be selected as always.
    button.hidden = navigator.clipboard === undefined;
    button.addEventListener('click', async () => {
      const isCopied = await navigator.clipboard.writeText(code.textContent ?? '').then(
        () => true,
        () => false,
      );
      button.textContent = isCopied ? 'Copied' : 'Not allowed';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, SHOWN_MS);
    });
  }
  return {
    show(text) {
      code.textContent = text;
    },
  };
}
