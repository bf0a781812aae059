import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemTimer } from '../server/base/system.ts';
import { createOutbound } from '../server/outbound/guarded-fetch.ts';
import { readAllowed } from '../server/outbound/reach.ts';
import { readCaptchaConfig } from '../server/pow/captcha-file.ts';
import { PROVIDERS } from '../server/pow/core/captcha-providers.ts';
import type { ProviderName } from '../server/wire/captcha.ts';

export const SECRET = 'the-right-secret';
export const SITE_KEY = 'the-site-key';

/** One `siteverify` as it came. */
export type Asked = { secret: string | undefined; response: string | undefined; sitekey: string | undefined };

/**
 * A CAPTCHA service on the loopback that speaks the documented `siteverify` of the named one, and serves a script for
 * its widget. Tokens that begin with `good` hold once; all others are refused.
 */
export async function startProvider(name: ProviderName, host = 'site.example') {
  const isFriendly = PROVIDERS[name].protocol === 'friendly';
  const asked: Asked[] = [];
  const used = new Set<string>();
  const state: { instead: ((response: ServerResponse) => void) | null } = { instead: null };

  const verdict = (token: string) => {
    if (!token.startsWith('good')) return isFriendly ? 'response_invalid' : 'invalid-input-response';
    if (used.has(token)) {
      return {
        turnstile: 'timeout-or-duplicate',
        hcaptcha: 'already-seen-response',
        recaptcha: 'timeout-or-duplicate',
        'friendly-captcha': 'response_duplicate',
      }[name];
    }
    used.add(token);
    return null;
  };
  const send = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

  const answerClassic = (response: ServerResponse, { secret, response: token }: Asked) => {
    const code = secret === SECRET ? verdict(token ?? '') : 'invalid-input-secret';
    if (code) return send(response, 200, { success: false, 'error-codes': [code] });
    send(response, 200, {
      success: true,
      challenge_ts: '2026-01-01T00:00:00Z',
      hostname: host,
      'error-codes': [],
    });
  };
  const answerFriendly = (response: ServerResponse, { secret, response: token }: Asked) => {
    const fail = (status: number, error_code: string) =>
      send(response, status, { success: false, error: { error_code, detail: 'as documented' } });
    if (secret !== SECRET) return fail(401, 'auth_invalid');
    const code = verdict(token ?? '');
    if (code) return fail(200, code);
    const challenge = { timestamp: '2026-01-01T00:00:00Z', origin: `https://${host}` };
    send(response, 200, { success: true, data: { event_id: 'ev_1', challenge } });
  };

  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/api.js')) {
      return (
        response
          // A module script of another origin is fetched with CORS.
          .writeHead(200, { 'Content-Type': 'text/javascript', 'Access-Control-Allow-Origin': '*' })
          .end(widgetScript(name))
      );
    }
    const text = await bodyOf(request);
    const members: Record<string, string | undefined> =
      request.headers['content-type'] === 'application/json'
        ? JSON.parse(text)
        : Object.fromEntries(new URLSearchParams(text));
    const key = request.headers['x-api-key'];
    const one: Asked = {
      secret: isFriendly ? String(key ?? '') : members.secret,
      response: members.response,
      sitekey: members.sitekey,
    };
    asked.push(one);
    if (state.instead) return state.instead(response);
    if (request.method !== 'POST' || request.url !== '/siteverify') return send(response, 404, {});
    return isFriendly ? answerFriendly(response, one) : answerClassic(response, one);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    asked,
    /** Lets the next `siteverify` be answered otherwise; null for as documented. */
    answerWith: (instead: typeof state.instead) => {
      state.instead = instead;
    },
    forget: () => used.clear(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type ProviderStub = Awaited<ReturnType<typeof startProvider>>;

/** What a server is given so that it asks this stub. */
export function captchaFor(
  { origin }: ProviderStub,
  provider: ProviderName,
  members: Record<string, unknown> = {},
  allow = ['127.0.0.1'],
  timer = systemTimer,
) {
  const file = { provider, siteKey: SITE_KEY, secret: SECRET, verifyUrl: `${origin}/siteverify`, ...members };
  const settings = readCaptchaConfig('captcha.json', JSON.stringify(file));
  const outbound = createOutbound({ allow: readAllowed(allow), timer });
  return { settings, outbound };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

/** What the provider's script does as far as a page sees it: a checkbox that fills the field and tells the page. */
function widgetScript(name: ProviderName): string {
  const { widgetClass, responseField, protocol } = PROVIDERS[name];
  return `
    for (const place of document.querySelectorAll('.${widgetClass}')) {
      if (place.dataset.sitekey !== '${SITE_KEY}') throw new Error('wrong site key');
      const field = Object.assign(document.createElement('input'), { type: 'hidden', name: '${responseField}' });
      const box = Object.assign(document.createElement('input'), { type: 'checkbox' });
      const label = document.createElement('label');
      label.append(box, ' I am human');
      place.append(label, field);
      box.addEventListener('change', () => {
        field.value = 'good-' + crypto.randomUUID();
        ${
          protocol === 'friendly'
            ? "place.dispatchEvent(new CustomEvent('frc:widget.complete', { detail: { response: field.value } }));"
            : 'window[place.dataset.callback](field.value);'
        }
      });
    }`;
}
