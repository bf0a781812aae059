import type { Config } from './config.ts';

/**
 * Who asks for other people's pages: the token that robots.txt and metas address (RFC 9309 §2.2.1), and the `User-Agent`.
 * The same for the crawler, for feeds and for what snapshots say of robots.
 */
export function readCrawlAgent(
  { CRAWL_USER_AGENT: name }: Pick<Config, 'CRAWL_USER_AGENT'>,
  version: string,
): { token: string; userAgent: string } {
  const token = /^[A-Za-z_-]+/.exec(name)?.[0] ?? name;
  return { token, userAgent: name === token ? `${token}/${version}` : name };
}
