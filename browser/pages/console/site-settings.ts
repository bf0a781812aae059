import type { ProfileView } from '../../../server/wire/sites.ts';
import type { Api } from './api.ts';
import { build, buildField } from './build.ts';
import type { Say } from './keys-tab.ts';

type Start = ProfileView['configs'][number];

const FRESH: Start = {
  url: '',
  pageBodyCssSelector: null,
  sitemapsOnly: false,
  allowUrlWithQuery: false,
  pagesPerSecond: null,
};

const loadedStarts = new WeakMap<HTMLElement, Start>();

/** The settings of a site, as a form. */
export function createSiteSettings(
  api: Api,
  siteId: string,
  say: Say,
): { node: HTMLElement; load(): Promise<void> } {
  const starts = build('div', { class: 'starts' });
  const recrawl = build('input', { type: 'number', min: 1, max: 8760, step: 'any' });
  const retention = build('input', { type: 'number', min: 1, max: 3650, required: true });
  const synonyms = build('textarea', { rows: 4, spellcheck: false });
  const message = build('p', { class: 'message', role: 'alert' });
  const form = build(
    'form',
    { class: 'form' },
    starts,
    build('button', { type: 'button', run: () => starts.append(startFields(FRESH)) }, 'Add a start address'),
    buildField('Crawl again after, hours', recrawl, 'Empty: only when told to.'),
    buildField('Delete when unused for, days', retention, 'Without a query and without a write.'),
    buildField('Synonyms', synonyms, 'One group a line, its words separated by commas.'),
    build('div', { class: 'actions' }, build('button', { class: 'primary', type: 'submit' }, 'Save')),
    message,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    message.textContent = '';
    try {
      show(await api.send<ProfileView>('PUT', `/api/sites/${siteId}/profile`, read()));
      say('The settings were saved.');
      message.textContent = 'Saved.';
    } catch (error) {
      message.textContent = (error as Error).message;
    }
  });

  // What this form has no field for stays as it was.
  let loaded: Partial<ProfileView> = {};
  const read = (): ProfileView => ({
    ...loaded,
    configs: [...starts.children].map((child) => readStart(child as HTMLElement)),
    recrawlHours: recrawl.value === '' ? null : Number(recrawl.value),
    retentionDays: Number(retention.value),
    synonyms: synonyms.value
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => line.split(',').map((word) => word.trim())),
  });

  function show(profile: ProfileView): void {
    loaded = profile;
    starts.replaceChildren(...profile.configs.map(startFields));
    recrawl.value = profile.recrawlHours === null ? '' : String(profile.recrawlHours);
    retention.value = String(profile.retentionDays);
    synonyms.value = profile.synonyms.map((group) => group.join(', ')).join('\n');
  }

  const node = build('details', {}, build('summary', {}, 'Settings'), form);
  return {
    node,
    async load() {
      try {
        show(await api.get<ProfileView>(`/api/sites/${siteId}/profile`));
      } catch (error) {
        message.textContent = (error as Error).message;
      }
    },
  };
}

/** The fields of one address where a crawl starts. */
function startFields(start: Start): HTMLElement {
  const check = (name: keyof Start, label: string, isOn: boolean) =>
    build('label', {}, build('input', { type: 'checkbox', name, checked: isOn }), ' ', label);
  const box: HTMLElement = build(
    'fieldset',
    { class: 'choices' },
    build('legend', {}, 'Start address'),
    buildField('URL', build('input', { type: 'url', name: 'url', required: true, value: start.url })),
    buildField(
      'CSS selector of the text',
      build('input', {
        name: 'pageBodyCssSelector',
        value: start.pageBodyCssSelector ?? '',
        spellcheck: false,
      }),
      'Empty: the whole body.',
    ),
    buildField(
      'Speed, pages per second',
      build('input', {
        type: 'number',
        name: 'pagesPerSecond',
        min: 0.01,
        max: 1000,
        step: 'any',
        value: start.pagesPerSecond ?? '',
      }),
      'Empty: as the server has it.',
    ),
    check('sitemapsOnly', 'only what sitemaps list', start.sitemapsOnly),
    check('allowUrlWithQuery', 'addresses with a query string as well', start.allowUrlWithQuery),
    build('button', { type: 'button', run: () => box.remove() }, 'Remove this address'),
  );
  loadedStarts.set(box, start);
  return box;
}

function readStart(box: HTMLElement): Start {
  const input = (name: keyof Start) => box.querySelector(`[name="${name}"]`) as HTMLInputElement;
  const rate = input('pagesPerSecond').value;
  return {
    ...(loadedStarts.get(box) ?? FRESH),
    url: input('url').value.trim(),
    pageBodyCssSelector: input('pageBodyCssSelector').value.trim() || null,
    sitemapsOnly: input('sitemapsOnly').checked,
    allowUrlWithQuery: input('allowUrlWithQuery').checked,
    pagesPerSecond: rate === '' ? null : Number(rate),
  };
}
