import type { Context } from './request-state.ts';

/**
 * Whether a browser asks for a page to show, rather than a script, a style sheet, an image or a `fetch`.
 *
 * `Sec-Fetch-Dest` says it (Fetch Metadata §2.1); it is missing on plain HTTP, where `text/html` in `Accept` tells.
 */
export function isDocumentRequest(ctx: Context): boolean {
  const destination = ctx.get('Sec-Fetch-Dest');
  if (destination !== '') return destination === 'document';
  return ctx.get('Accept').includes('text/html');
}
