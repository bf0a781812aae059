import { readFileSync } from 'node:fs';
import type { Config } from './config.ts';

// Where the project's documentation is for everybody; null as long as package.json names no homepage.
const { homepage = null } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  homepage?: string;
};

/**
 * Who asks for other people's pages: the token that robots.txt and metas address (RFC 9309 §2.2.1), and the `User-Agent`.
 * The same for the crawler, for feeds and for what snapshots say of robots.
 *
 * The `User-Agent` is `<token>/<version> (+<URL>)`: a token without a version gets ours, and where the operator names no
 * URL that of the project stands there, so that who reads it in a log finds out what asked.
 */
export function readCrawlAgent(
  { CRAWL_USER_AGENT: name }: Pick<Config, 'CRAWL_USER_AGENT'>,
  version: string,
  about: string | null = homepage,
): { token: string; userAgent: string } {
  const token = /^[A-Za-z_-]+/.exec(name)?.[0] ?? name;
  const rest = name.slice(token.length);
  const named = rest.startsWith('/') ? name : `${token}/${version}${rest}`;
  const userAgent = rest.includes('(+') || about === null ? named : `${named} (+${about})`;
  return { token, userAgent };
}
