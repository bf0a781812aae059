import type { MarkedText, TrialBody } from '../../../server/wire/console.ts';
import type { Api } from './api.ts';
import { build, buildField } from './build.ts';
import { counted, decimal } from './units.ts';

/** A search to try, as a visitor would see its results; it is not counted as a visitor's. */
export function createSiteSearch(api: Api, siteId: string): HTMLElement {
  const input = build('input', { type: 'search', name: 'query', maxlength: 200, autocomplete: 'off' });
  const status = build('p', { class: 'caption', role: 'status' });
  const list = build('ol', { class: 'results' });
  const form = build(
    'form',
    { class: 'form inline' },
    buildField('Try a search', input),
    build('div', { class: 'actions' }, build('button', { type: 'submit' }, 'Search')),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      const query = new URLSearchParams({ query: input.value });
      const { total, suggestion, results } = await api.get<TrialBody>(`/api/sites/${siteId}/search?${query}`);
      status.textContent =
        `${counted(total, 'result')}${total > results.length ? `, the best ${results.length} of them here` : ''}.` +
        (suggestion ? ` Likely meant: ${suggestion}` : '');
      list.replaceChildren(
        ...results.map(({ url, title, snippet, score }) =>
          build(
            'li',
            {},
            build('a', { href: /^https?:/.test(url) ? url : null, rel: 'noreferrer' }, ...marked(title)),
            build('p', {}, ...marked(snippet)),
            build(
              'p',
              { class: 'caption', title: 'How well it fits, beside the other results' },
              `${url} · score ${decimal(score)}`,
            ),
          ),
        ),
      );
    } catch (error) {
      status.textContent = (error as Error).message;
      list.replaceChildren();
    }
  });
  return build('div', { class: 'trial' }, form, status, list);
}

/** A text with the words of the query marked. */
function marked({ text, ranges }: MarkedText): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    parts.push(text.slice(at, start), build('mark', {}, text.slice(start, end)));
    at = end;
  }
  return [...parts, text.slice(at)];
}
