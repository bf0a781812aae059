import type { IssuedKey, KeysBody, KeyView } from '../../../server/wire/console.ts';
import type { Api } from './api.ts';
import { build, buildField, buildTable } from './build.ts';
import { askToConfirm } from './confirm.ts';
import { buildShownOnce } from './shown-once.ts';
import { count, counted, day } from './units.ts';

const TIERS = [
  ['free', 'Free: IP look-ups, challenges as for everyone'],
  ['pro', 'Pro: chooses difficulty and times, up to five routes'],
  ['enterprise', 'Enterprise: no bounds but those of the policy'],
] as const;
const METERS = { 'ip-lookups': 'IP look-ups', verifications: 'verifications' };

export type Say = (line: string) => void;

/** API keys: issue, revoke, and their use against the quota. */
export function createKeysTab(api: Api, say: Say): { node: HTMLElement; load(): Promise<void> } {
  const tier = build(
    'select',
    { name: 'tier' },
    ...TIERS.map(([value, name]) => build('option', { value }, name)),
  );
  const tenant = build('input', {
    name: 'tenant',
    required: true,
    maxlength: 100,
    pattern: '[\\w.@ \\-]{1,100}',
    autocomplete: 'off',
  });
  const routes = build('fieldset', { class: 'choices' });
  const message = build('p', { class: 'message', role: 'alert' });
  const once = build('div');
  const table = buildTable(
    'API keys',
    [
      { name: 'Key', meaning: 'Its id: the first part of its text' },
      { name: 'Tenant', meaning: 'Whom it was issued to' },
      { name: 'Tier' },
      { name: 'Routes', meaning: 'The gated routes that it is for' },
      { name: 'Used this month', meaning: 'Uses in this calendar month of UTC, against the quota' },
      { name: 'Issued' },
      { name: 'State' },
    ],
    'No key was issued yet.',
  );

  const form = build(
    'form',
    { class: 'card form' },
    build('h3', {}, 'Issue a key'),
    buildField('Tenant', tenant, 'Letters, digits, spaces and . _ @ -'),
    buildField('Tier', tier),
    routes,
    build('div', { class: 'actions' }, build('button', { class: 'primary', type: 'submit' }, 'Issue')),
    message,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    message.textContent = '';
    const chosen = [...routes.querySelectorAll<HTMLInputElement>('input:checked')].map(({ value }) => value);
    try {
      const issued = await api.send<IssuedKey>('POST', '/api/keys', {
        tier: tier.value,
        tenant: tenant.value.trim(),
        routes: chosen,
      });
      const box = buildShownOnce('The new key', 'It is shown this once: only a hash of it is kept.', [
        ['API key, for the header X-API-Key', issued.key],
      ]);
      once.replaceChildren(box);
      box.focus();
      say(`Key ${issued.keyId} was issued.`);
      form.reset();
      await load();
    } catch (error) {
      message.textContent = (error as Error).message;
    }
  });

  async function revoke(key: KeyView): Promise<void> {
    const isSure = await askToConfirm(
      `Revoke the key of ${key.tenant}?`,
      `Key ${key.keyId} stops working at once, and cannot be brought back.`,
      'Revoke',
    );
    if (!isSure) return;
    try {
      await api.send('DELETE', `/api/keys/${encodeURIComponent(key.keyId)}`);
      say(`Key ${key.keyId} was revoked.`);
      await load();
    } catch (error) {
      message.textContent = (error as Error).message;
    }
  }

  function use({ usage }: KeyView): HTMLElement {
    return build(
      'div',
      { class: 'uses' },
      ...usage
        .filter(({ used, quota }) => used > 0 || quota !== 0)
        .map(({ meter, used, quota }) => {
          const label = `${count(used)} ${METERS[meter]}${quota === null ? ', no quota' : ` of ${count(quota)}`}`;
          return build(
            'div',
            {},
            build('span', {}, label),
            quota ? build('meter', { min: 0, max: quota, value: used, 'aria-label': label }) : null,
          );
        }),
    );
  }

  async function load(): Promise<void> {
    const { keys, routes: ids } = await api.get<KeysBody>('/api/keys');
    const had = [...routes.querySelectorAll<HTMLInputElement>('input')].map(({ value }) => value);
    if (ids.length === 0) routes.hidden = true;
    else if (had.join() !== ids.join()) {
      routes.replaceChildren(
        build('legend', {}, 'Only for these routes'),
        ...ids.map((id) => build('label', {}, build('input', { type: 'checkbox', value: id }), ' ', id)),
        build(
          'p',
          { class: 'caption' },
          'None chosen: as many as the tier allows, in the order of their first use.',
        ),
      );
    }
    table.fill(
      keys.map((key) => [
        build('code', {}, `gh_${key.keyId}`),
        key.tenant,
        key.tier,
        key.routes.join(', ') || '–',
        use(key),
        day(key.issued),
        key.revoked
          ? `revoked ${day(key.revoked)}`
          : build(
              'button',
              { type: 'button', 'aria-label': `Revoke ${key.keyId}`, run: () => void revoke(key) },
              'Revoke',
            ),
      ]),
    );
    lead.textContent = `${counted(keys.filter(({ revoked }) => !revoked).length, 'key')} in use.`;
  }
  const lead = build('p', { class: 'caption' });
  const node = build('div', { class: 'tab' }, build('h2', {}, 'API keys'), lead, once, table.node, form);
  return { node, load };
}
