import type { Router } from '@koa/router';
import { networkOf, networkText } from '../base/network.ts';
import type { Page } from '../http/pages.ts';
import type { RequestState } from '../http/request-state.ts';
import { TIERS } from './core/tiers.ts';
import type { GatedState } from './gate.ts';
import type { Admission } from './service.ts';

/** The home page, and `/demo/`: a page that the built-in policy gates, as HTML or as JSON. */
export function serveDemo(router: Router<RequestState>, pages: { home: Page; demo: Page }): void {
  router.get('/', async function home(ctx) {
    pages.home(ctx);
  });
  router.get('/demo/', async function demo(ctx) {
    const { admission, client } = ctx.state as GatedState;
    const shown = { ...describeAdmission(admission), network: networkText(networkOf(client)) };
    if (ctx.accepts('html', 'json') === 'json') ctx.body = shown;
    else pages.demo(ctx, { ADMISSION: shown });
  });
}

// Where the policy of this server does not gate /demo/, nothing was shown at the gate.
function describeAdmission(admission: Admission | undefined): object {
  const passport = admission?.how === 'passport' ? admission : null;
  return {
    how: admission?.how ?? 'open',
    difficulty_bits: admission?.difficultyBits ?? null,
    tier: admission ? TIERS[admission.tier].name : null,
    issued_at: passport?.issuedAtSecs ?? null,
    expires_at: passport?.expiresAtSecs ?? null,
  };
}
