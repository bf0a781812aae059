import { readReturnPath } from '../http/return-path.ts';
import { isPerRequest } from './core/policy.ts';
import type { Held } from './refusal.ts';

export const CAPTCHA_PATH = '/pow/captcha';

/**
 * Where a held visitor may solve a CAPTCHA instead, or null where that would open nothing: a route in per-request mode
 * takes no passport, and a declared bot would need more bits than a CAPTCHA stands for.
 */
export function captchaLink({ route, method, target, verdict }: Held): string | null {
  if ((route && isPerRequest(route)) || verdict !== 'suspect') return null;
  // What was posted is gone on the way: such a visitor goes back to the form instead.
  const returnTo = method === 'GET' || method === 'HEAD' ? readReturnPath(target) : null;
  const query = [
    ...(route ? [`route=${encodeURIComponent(route.id)}`] : []),
    ...(returnTo === null ? [] : [`return_to=${encodeURIComponent(returnTo)}`]),
  ];
  return query.length === 0 ? CAPTCHA_PATH : `${CAPTCHA_PATH}?${query.join('&')}`;
}
