import type { Router } from '@koa/router';
import { networkOf } from '../base/network.ts';
import { type Clock, type Digest, nowSecs } from '../base/ports.ts';
import { readFormOrJson } from '../http/body.ts';
import type { ForeignSources, Page } from '../http/pages.ts';
import { readQuery } from '../http/query.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import { readReturnPath } from '../http/return-path.ts';
import { readInput } from '../http/serve-operation.ts';
import { CaptchaExchange, type CaptchaPageData, CaptchaPassport, CaptchaQuery } from '../wire/captcha.ts';
import type { Operation } from '../wire/operation.ts';
import { fault } from '../wire/problem.ts';
import { CAPTCHA_PATH } from './captcha-link.ts';
import { type CaptchaVerifierDeps, createCaptchaVerifier, type VerifyCaptcha } from './captcha-verifier.ts';
import type { CaptchaSettings } from './core/captcha-providers.ts';
import { tokenMark } from './core/captcha-token.ts';
import { isPerRequest, type Route } from './core/policy.ts';
import { setPassportCookie } from './passport-cookie.ts';
import type { Gate } from './service.ts';

const LIMIT_BYTES = 16_384;

export const captchaPageOperation = {
  id: 'showCaptcha',
  method: 'get',
  path: CAPTCHA_PATH,
  tag: 'Proof of work',
  summary: 'A page with a CAPTCHA, for devices that would solve the puzzle for too long',
  query: CaptchaQuery,
  answer: { status: 200, description: 'The page, as HTML' },
  problems: ['malformed-request', 'unknown-route', 'not-found'],
  isOpenToAnyOrigin: false,
} as const satisfies Operation;

export const captchaOperation = {
  id: 'redeemCaptcha',
  method: 'post',
  path: CAPTCHA_PATH,
  tag: 'Proof of work',
  summary: 'A passport for a solved CAPTCHA',
  description:
    'Takes JSON or a form. JSON is answered with the passport; a form with 303 to `return_to`, or to `/`. Both set the ' +
    'cookie `pow_passport`. The passport stands for the work of `route`; a route that takes a proof with every request ' +
    'cannot be opened so.',
  body: CaptchaExchange,
  bodyLimitBytes: LIMIT_BYTES,
  answer: {
    status: 200,
    description: 'The passport, bound to the network of the caller',
    schema: CaptchaPassport,
  },
  problems: [
    'malformed-request',
    'unknown-route',
    'captcha-refused',
    'captcha-stale',
    'not-found',
    'body-too-large',
    'unsupported-media-type',
    'throttled',
    'captcha-unavailable',
    'overloaded',
    'store-unavailable',
  ],
  isOpenToAnyOrigin: false,
} as const satisfies Operation;

/** A CAPTCHA service that the operator has configured. */
export type Captcha = {
  settings: CaptchaSettings;
  verify: VerifyCaptcha;
  /** What the page with the widget admits from elsewhere; no other page does. */
  foreignSources: ForeignSources;
};

export function createCaptcha(deps: CaptchaVerifierDeps): Captcha {
  const { sources } = deps.settings.provider;
  const { ownOrigins } = deps.settings;
  return {
    settings: deps.settings,
    verify: createCaptchaVerifier(deps),
    foreignSources: {
      script: [...sources.script, ...ownOrigins],
      frame: [...sources.frame, ...ownOrigins],
      connect: [...sources.connect, ...ownOrigins],
      style: [...sources.style, ...ownOrigins],
    },
  };
}

export type CaptchaDeps = {
  gate: Gate;
  captcha: Captcha | null;
  captchaPage: Page;
  /** Counts an exchange. @throws Fault `throttled` */
  throttleCaptcha(ctx: Context): Promise<void>;
  clock: Clock;
  digest: Digest;
};

/** `GET, POST /pow/captcha`. Without a configured service there is nothing here: 404. */
export function serveCaptcha(router: Router<RequestState>, deps: CaptchaDeps): void {
  const { gate, captchaPage, throttleCaptcha, clock, digest } = deps;
  const hash = (text: string) => digest.sha256(new TextEncoder().encode(text));

  router.get(CAPTCHA_PATH, async function showCaptcha(ctx) {
    const { settings } = configured(deps.captcha);
    const query = readInput(CaptchaQuery, readQuery(ctx.querystring), 'query');
    const route = openRoute(gate, query.route);
    const data = describeWidget(settings, route, readReturn(query.return_to));
    ctx.set('Cache-Control', 'no-store');
    captchaPage(ctx, {
      CAPTCHA: data,
      PROVIDER: data.provider,
      ROUTE: data.route ?? '',
      RETURN: data.return_to ?? '',
    });
  });

  router.post(CAPTCHA_PATH, async function exchangeCaptcha(ctx) {
    ctx.set('Cache-Control', 'no-store');
    const { settings, verify } = configured(deps.captcha);
    await throttleCaptcha(ctx);
    const body = readInput(CaptchaExchange, await readFormOrJson(ctx, LIMIT_BYTES), 'body');
    const field = settings.provider.responseField as keyof CaptchaExchange;
    const token = body.response ?? body[field];
    if (token === undefined) {
      throw fault('malformed-request', `body.response: expected the token, here or as ${field}`);
    }
    const route = openRoute(gate, body.route);
    const returnTo = readReturn(body.return_to);

    await verify(token);
    const mark = tokenMark(settings.name, token, nowSecs(clock), hash);
    const minted = await gate.mintByCaptcha(route, mark, networkOf(ctx.state.client));
    setPassportCookie(ctx, minted);
    if (ctx.request.type.toLowerCase() === 'application/json') {
      ctx.body = { ...minted, return_to: returnTo };
      return;
    }
    ctx.status = 303;
    ctx.redirect(returnTo ?? '/');
  });
}

function configured(captcha: Captcha | null): Captcha {
  if (!captcha) throw fault('not-found', 'no CAPTCHA service is configured here');
  return captcha;
}

/** The route that is to be opened, null for any. @throws Fault `unknown-route`, `malformed-request` */
function openRoute(gate: Gate, id: string | undefined): Route | null {
  const route = id === undefined ? null : gate.routeOf(id);
  if (route && isPerRequest(route)) {
    throw fault(
      'malformed-request',
      `route: ${JSON.stringify(route.id)} takes a proof with every request and no passport, so no CAPTCHA opens it`,
    );
  }
  return route;
}

function readReturn(text: string | undefined): string | null {
  if (text === undefined) return null;
  const path = readReturnPath(text);
  if (path === null)
    throw fault('malformed-request', 'return_to: expected a path of this origin, such as /page?a=b');
  return path;
}

function describeWidget(
  { provider, siteKey, scriptUrl, attributes }: CaptchaSettings,
  route: Route | null,
  returnTo: string | null,
): CaptchaPageData {
  return {
    provider: provider.title,
    site_key: siteKey,
    script_url: scriptUrl,
    script_is_module: provider.script.isModule,
    widget_class: provider.widgetClass,
    response_field: provider.responseField,
    language_parameter: provider.script.languageParameter,
    attributes,
    route: route?.id ?? null,
    return_to: returnTo,
  };
}
