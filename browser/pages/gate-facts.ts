import type { GatePageData } from '../../server/wire/pow.ts';

/**
 * The facts in `data-gate`, or null when the server did not fill the page in.
 * Our own server writes them, so only the outline is checked: it tells a page that was opened as a bare file.
 */
export function readGateFacts(text: string | undefined): GatePageData | null {
  try {
    const facts: GatePageData | null = JSON.parse(text ?? '');
    return typeof facts?.challenge?.challenge === 'string' && typeof facts.method === 'string' ? facts : null;
  } catch {
    return null;
  }
}
