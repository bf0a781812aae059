import type { GateBody, LookupBody } from '../../../server/wire/console.ts';
import type { Inspection } from '../../../server/wire/ip.ts';
import { attributionsOf, factsOf, verdictOf } from '../lookup-view.ts';
import type { Api } from './api.ts';
import { build, buildField } from './build.ts';
import { createFigures } from './figures.ts';
import { count } from './units.ts';

/** Look-ups: how many were answered, and one to make. */
export function createIpTab(api: Api): { node: HTMLElement; show(gate: GateBody): void } {
  const figures = createFigures([
    { label: 'Without a key', unit: 'look-ups', meaning: 'Answered since this process started.' },
    { label: 'With a key', unit: 'look-ups', meaning: 'Answered and charged to the quota of a key.' },
  ]);
  const input = build('input', {
    name: 'address',
    required: true,
    autocomplete: 'off',
    spellcheck: false,
    maxlength: 64,
    placeholder: '192.0.2.1 or 2001:db8::1',
  });
  const message = build('p', { class: 'message', role: 'alert' });
  const facts = build('dl', { class: 'facts' });
  const verdict = build('p', { role: 'status' });
  const reasons = build('ul', {});
  const source = build('p', { class: 'caption' });
  const form = build(
    'form',
    { class: 'form inline' },
    buildField('IP address', input, 'Your own look-ups are not counted and not limited.'),
    build('div', { class: 'actions' }, build('button', { class: 'primary', type: 'submit' }, 'Look up')),
    message,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    message.textContent = '';
    try {
      const query = new URLSearchParams({ address: input.value.trim() });
      const { whois, ...risk } = await api.get<LookupBody>(`/api/ip?${query}`);
      const seen = { whois, echo: { ...risk, subject: 'query' } } as unknown as Inspection;
      const { extended } = whois;
      const more = extended
        ? [
            { name: 'Hosting', value: yesNo(extended.isHosting) },
            { name: 'VPN', value: yesNo(extended.isVpn) },
            { name: 'Tor', value: yesNo(extended.isTor) },
          ]
        : [];
      facts.replaceChildren(
        ...[...factsOf(seen), ...more].map(({ name, value }) =>
          build('div', {}, build('dt', {}, name), build('dd', {}, value)),
        ),
      );
      verdict.textContent = verdictOf(seen);
      reasons.replaceChildren(
        ...risk.reasons.map(({ code, weight, detail }) =>
          build('li', {}, `${code.replaceAll('-', ' ')}: ${detail} (weight +${weight.toFixed(2)} of 1)`),
        ),
      );
      source.textContent = attributionsOf(seen);
    } catch (error) {
      for (const part of [facts, verdict, reasons, source]) part.replaceChildren();
      message.textContent = (error as Error).message.replace(/^query\.address: e/, 'E');
    }
  });
  const node = build(
    'div',
    { class: 'tab' },
    build('h2', {}, 'IP look-ups'),
    figures.node,
    build(
      'section',
      { class: 'card' },
      build('h3', {}, 'Look an address up'),
      form,
      facts,
      verdict,
      reasons,
      source,
    ),
  );
  return {
    node,
    show: ({ lookups }) => figures.set([count(lookups.anonymous), count(lookups.keyed)]),
  };
}

const yesNo = (flag: boolean | null) => (flag === null ? 'unknown: no list is loaded' : flag ? 'yes' : 'no');
