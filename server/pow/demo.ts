import type { Router } from '@koa/router';
import type { DemoSearch } from '../base/demo-search.ts';
import { networkOf, networkText } from '../base/network.ts';
import { type Clock, nowSecs } from '../base/ports.ts';
import type { Page } from '../http/pages.ts';
import type { RequestState } from '../http/request-state.ts';
import type { AdmissionPageData } from '../wire/pow.ts';
import { fault } from '../wire/problem.ts';
import { findRoute, type Policy } from './core/policy.ts';
import { TIERS } from './core/tiers.ts';
import type { GatedState } from './gate.ts';
import type { Admission } from './service.ts';

export type DemoDeps = {
  home: Page;
  demo: Page;
  policy(): Policy;
  clock: Clock;
  /** Null hides the search of the home page. */
  demoSearch(): DemoSearch | null;
};

/** The home page, and `/demo/`: a page that the built-in policy gates, as HTML or as JSON. */
export function serveDemo(
  router: Router<RequestState>,
  { home, demo, policy, clock, demoSearch }: DemoDeps,
): void {
  router.get('/', async function serveHome(ctx) {
    const route = findRoute(policy(), 'GET', '/demo/');
    const { difficultyBits } = route?.terms ?? policy().defaults;
    home(ctx, {
      ROUTE: route?.id ?? '',
      BITS: String(difficultyBits),
      SITE: demoSearch()?.siteId ?? '',
      TRIES: (2 ** difficultyBits).toLocaleString('en'),
    });
  });
  router.get('/demo-search.json', async function serveDemoSearch(ctx) {
    ctx.set('Cache-Control', 'no-store');
    const found = demoSearch();
    if (!found) throw fault('not-found', 'this demo has no site to search');
    ctx.body = found;
  });
  router.get('/demo/', async function serveGatedPage(ctx) {
    const { admission, client } = ctx.state as GatedState;
    const shown: AdmissionPageData = {
      ...describeAdmission(admission),
      network: networkText(networkOf(client)),
      now: nowSecs(clock),
    };
    if (ctx.accepts('html', 'json') === 'json') ctx.body = shown;
    else demo(ctx, { ADMISSION: shown });
  });
}

// Where the policy of this server does not gate /demo/, nothing was shown at the gate.
function describeAdmission(admission: Admission | undefined): Omit<AdmissionPageData, 'network' | 'now'> {
  const passport = admission?.how === 'passport' ? admission : null;
  return {
    how: admission?.how ?? 'open',
    difficulty_bits: admission?.difficultyBits ?? null,
    tier: admission ? TIERS[admission.tier].name : null,
    issued_at: passport?.issuedAtSecs ?? null,
    expires_at: passport?.expiresAtSecs ?? null,
  };
}
