import { build } from './build.ts';

export type Tab = {
  id: string;
  name: string;
  /** What the tab shows. */
  node: HTMLElement;
  /** Called whenever the tab comes to the front. */
  onShow?(): void;
};

/**
 * Tabs by the ARIA pattern: arrows move, Home and End go to the ends. The chosen one is in the fragment of the URL, so that
 * back and a bookmark work.
 */
export function createTabs(list: HTMLElement, panels: HTMLElement, tabs: readonly Tab[]): { show(): void } {
  const buttons = tabs.map(({ id, name }) =>
    build(
      'button',
      { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': id, tabindex: -1 },
      name,
    ),
  );
  const boxes = tabs.map(({ id, node }) =>
    build(
      'section',
      { role: 'tabpanel', id, 'aria-labelledby': `tab-${id}`, tabindex: 0, hidden: true },
      node,
    ),
  );
  list.replaceChildren(...buttons);
  panels.replaceChildren(...boxes);

  const chosen = () =>
    Math.max(
      0,
      tabs.findIndex(({ id }) => `#${id}` === location.hash),
    );

  function show(): void {
    const at = chosen();
    for (const [i, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(i === at));
      button.tabIndex = i === at ? 0 : -1;
      boxes[i].hidden = i !== at;
    }
    buttons[at].scrollIntoView({ block: 'nearest', inline: 'nearest' });
    tabs[at].onShow?.();
  }

  function choose(at: number): void {
    // Not by `location.hash =`, which would scroll to the panel.
    history.pushState(null, '', `#${tabs[at].id}`);
    show();
  }

  for (const [i, button] of buttons.entries()) {
    button.addEventListener('click', () => choose(i));
    button.addEventListener('keydown', (event) => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const at = (to + tabs.length) % tabs.length;
      choose(at);
      buttons[at].focus();
    });
  }
  addEventListener('popstate', show);
  return { show };
}
