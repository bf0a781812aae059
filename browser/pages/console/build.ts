type Child = Node | string | null;
type Attributes = Record<string, string | number | boolean | (() => void) | null>;

/**
 * An element with attributes and children. Texts are texts, never markup: what sites, tenants and visitors wrote is shown
 * as it is. A function is what a click does; false and null leave an attribute out.
 */
export function build<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener('click', value);
    else if (value !== null && value !== false)
      element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A table in a box that scrolls by itself where the screen is narrow. `fill` replaces the rows; a cell may be an element. */
export function buildTable(
  caption: string,
  columns: readonly { name: string; meaning?: string }[],
  empty: string,
): { node: HTMLElement; fill(rows: readonly (readonly (string | Node)[])[]): void } {
  const body = build('tbody');
  const node = build(
    'div',
    { class: 'table', role: 'region', 'aria-label': caption, tabindex: 0 },
    build(
      'table',
      {},
      build('caption', { class: 'visually-hidden' }, caption),
      build(
        'thead',
        {},
        build(
          'tr',
          {},
          ...columns.map(({ name, meaning = '' }) =>
            build('th', { scope: 'col', title: meaning || null }, name),
          ),
        ),
      ),
      body,
    ),
  );
  const emptyRow = () => build('tr', {}, build('td', { colspan: columns.length, class: 'caption' }, empty));
  body.append(emptyRow());
  return {
    node,
    fill(rows) {
      const built = rows.map((cells) =>
        build(
          'tr',
          {},
          ...cells.map((cell, i) => (i === 0 ? build('th', { scope: 'row' }, cell) : build('td', {}, cell))),
        ),
      );
      body.replaceChildren(...(built.length > 0 ? built : [emptyRow()]));
    },
  };
}

/** A labelled field of a form, with what it is for below. */
export function buildField(
  label: string,
  control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  hint = '',
): HTMLElement {
  const id = control.id || `field-${++fields}`;
  control.id = id;
  if (hint) control.setAttribute('aria-describedby', `${id}-hint`);
  return build(
    'div',
    { class: 'field' },
    build('label', { for: id }, label),
    control,
    hint ? build('p', { class: 'caption', id: `${id}-hint` }, hint) : null,
  );
}
let fields = 0;
