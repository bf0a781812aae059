import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isbot } from 'isbot';

/** Whether a User-Agent names a crawler, a library or an automated browser (isbot, Unlicense). */
export const isDeclaredBot = (userAgent: string): boolean => isbot(userAgent);

let domains: Set<string> | null = null;

/** Whether a domain hands out addresses that last for minutes (disposable-email-domains, MIT). Read when first asked. */
export function isDisposable(domain: string): boolean {
  if (!domains) {
    const resolve = createRequire(import.meta.url).resolve;
    const read = (file: string) =>
      JSON.parse(readFileSync(resolve(`disposable-email-domains/${file}`), 'utf8')) as string[];
    domains = new Set([...read('index.json'), ...read('wildcard.json')]);
  }
  return domains.has(domain);
}
