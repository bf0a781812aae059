import type { Finding } from './risk.ts';

// RFC 5321 §4.5.3.1: 64 octets before the @, 255 behind it.
const ADDRESS =
  /^[^\s@"(),:;<>[\\\]]{1,64}@((?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63})$/u;

/** What an e-mail address says. `isDisposable` takes a domain in lower case. The address itself is never in a detail. */
export function findInEmail(email: string, isDisposable: (domain: string) => boolean): Finding[] {
  const domain = ADDRESS.exec(email)?.[1].toLowerCase();
  if (!domain || domain.length > 255) {
    return [{ code: 'email-malformed', detail: 'expected name@domain' }];
  }
  // A service that takes every name under its domain has one entry in the list.
  const labels = domain.split('.');
  const suffixes = labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'));
  return suffixes.some(isDisposable) ? [{ code: 'email-disposable', detail: domain }] : [];
}
