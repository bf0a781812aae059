import type { Context } from '../http/request-state.ts';
import { fault } from '../wire/problem.ts';
import type { SiteRecord } from './core/site.ts';
import type { Search } from './service.ts';

export type AdmitOwnerDeps = {
  search: Search;
  /** Counts a wrong secret. @throws Fault `throttled` */
  throttleSecret(ctx: Context): Promise<void>;
};

/** Lets only those in who show the secret of the site. */
export type AdmitOwner = (
  input: { params: { siteId: string }; query: { siteSecret?: string | undefined } },
  ctx: Context,
) => Promise<SiteRecord>;

/**
 * The right secret is let in whatever was tried before, from its own network too; only wrong ones are counted. None at all
 * is a mistake and no attempt.
 * @throws (the function given) Fault `unknown-site`, `wrong-secret`, `throttled`
 */
export function createAdmitOwner({ search, throttleSecret }: AdmitOwnerDeps): AdmitOwner {
  return async function admitOwner({ params, query: { siteSecret } }, ctx) {
    ctx.set('Cache-Control', 'no-store');
    // The secret stands in the URL: nothing that a browser might load from the answer may be told of it.
    ctx.set('Referrer-Policy', 'no-referrer');
    const site = search.find(params.siteId);
    if (siteSecret !== undefined && search.isSecretOf(site, siteSecret)) return site;
    if (siteSecret !== undefined) await throttleSecret(ctx);
    throw fault('wrong-secret', 'siteSecret: expected the secret that came with the site');
  };
}
