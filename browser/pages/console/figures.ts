import { build } from './build.ts';

/** One number: what it is called, its unit, and what it means. */
export type Figure = { label: string; unit: string; meaning: string };

/** A row of numbers, each with its unit and its meaning below. `set` gives the texts in the order of the figures. */
export function createFigures(figures: readonly Figure[]): {
  node: HTMLElement;
  set(values: readonly string[]): void;
} {
  const values = figures.map(() => build('span', { class: 'figure-value' }, '–'));
  const node = build(
    'dl',
    { class: 'figures' },
    ...figures.map(({ label, unit, meaning }, i) =>
      build(
        'div',
        { title: meaning },
        build('dt', {}, label),
        build('dd', {}, values[i], ' ', build('span', { class: 'figure-unit' }, unit)),
        build('dd', { class: 'caption' }, meaning),
      ),
    ),
  );
  return {
    node,
    set(texts) {
      for (const [i, value] of values.entries())
        if (value.textContent !== texts[i]) value.textContent = texts[i];
    },
  };
}

/** Bars beside one another with their numbers, as a list. */
export function createBars(
  unit: string,
  empty: string,
): {
  node: HTMLElement;
  fill(rows: readonly { name: string; value: number; title?: string }[]): void;
} {
  const node = build('ul', { class: 'bars' });
  return {
    node,
    fill(rows) {
      const most = Math.max(1, ...rows.map(({ value }) => value));
      const items = rows.map(({ name, value, title }) => {
        const fill = build('span', { class: 'bar-fill' });
        fill.style.setProperty('--share', String(value / most));
        return build(
          'li',
          { title: title ?? null },
          build('span', { class: 'bar-name' }, name),
          build('span', { class: 'bar-value' }, `${new Intl.NumberFormat('en').format(value)} ${unit}`),
          build('span', { class: 'bar-track', 'aria-hidden': 'true' }, fill),
        );
      });
      node.replaceChildren(...(items.length > 0 ? items : [build('li', { class: 'caption' }, empty)]));
    },
  };
}
