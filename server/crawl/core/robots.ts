import { type CategoryRule, readCategory } from './categories.ts';
import { matchesPath, normaliseEscapes, type PathPattern, readPathPattern } from './path-pattern.ts';

/** Bytes of robots.txt that count (RFC 9309 §2.5: at least 500 KiB). */
export const ROBOTS_BYTES = 500 * 1024;
/** The longest crawl-delay that is kept to. Our choice: a crawl of a thousand pages then takes 17 hours. */
export const MOST_CRAWL_DELAY_SECS = 60;

/** What robots.txt says to us. */
export type Robots = {
  rules: readonly { allows: boolean; pattern: PathPattern }[];
  crawlDelaySecs: number | null;
  /** As they stand there. */
  sitemaps: readonly string[];
  categories: readonly CategoryRule[];
  /** What was not understood of the lines that are ours, a sentence each. */
  faults: readonly string[];
};

export const NO_ROBOTS: Robots = {
  rules: [],
  crawlDelaySecs: null,
  sitemaps: [],
  categories: [],
  faults: [],
};

// Our choice: more than a site of hand has, and a bound on what each address is held against.
const MOST_RULES = 5_000;
const MOST_FAULTS = 20;

/**
 * Reads robots.txt (RFC 9309 §2.2).
 *
 * Groups for our token count together, whatever stands between them; those for `*` only where there are none. Lines of
 * other kinds neither begin nor end a group.
 * @param token such as `GatehouseBot`; compared without case
 */
export function readRobots(text: string, token: string): Robots {
  const own = token.toLowerCase();
  const groups = { own: newGroup(), any: newGroup() };
  const sitemaps: string[] = [];
  const categories: CategoryRule[] = [];
  const faults: string[] = [];
  let isNamingAgents = false;
  let current: Group[] = [];

  for (const [number, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const [, key = '', value = ''] = /^\s*([A-Za-z][A-Za-z -]*?)\s*:(.*)$/s.exec(line) ?? [];
    const name = key.toLowerCase();
    if (name === 'category') {
      const read = readCategory(value);
      if (typeof read !== 'string') categories.push(read);
      else if (faults.length < MOST_FAULTS) faults.push(`robots.txt line ${number + 1}: ${read}`);
      continue;
    }
    const plain = withoutComment(value);
    if (name === 'sitemap') {
      if (plain !== '') sitemaps.push(plain);
    } else if (name === 'user-agent') {
      if (!isNamingAgents) current = [];
      isNamingAgents = true;
      const agent = (/^[A-Za-z_-]+|^\*/.exec(plain)?.[0] ?? '').toLowerCase();
      const group = agent === own ? groups.own : agent === '*' ? groups.any : null;
      if (group) {
        group.isNamed = true;
        current.push(group);
      }
    } else if (name === 'allow' || name === 'disallow') {
      isNamingAgents = false;
      // An empty pattern matches nothing (§2.2.3 by its grammar: an empty path has no rule).
      if (plain !== '') for (const group of current) addRule(group, name === 'allow', plain);
    } else if (name === 'crawl-delay') {
      isNamingAgents = false;
      const secs = /^\d{1,9}(\.\d{1,9})?$/.test(plain) ? Number(plain) : null;
      if (secs !== null) {
        for (const group of current) group.delaySecs = Math.max(group.delaySecs ?? 0, secs);
      }
    }
  }
  const group = groups.own.isNamed ? groups.own : groups.any;
  const delay = group.delaySecs;
  return {
    rules: group.rules,
    crawlDelaySecs: delay === null ? null : Math.min(delay, MOST_CRAWL_DELAY_SECS),
    sitemaps,
    categories,
    faults,
  };
}

/**
 * Whether a path, with its query, may be asked for: the longest rule that matches counts, of two as long the one that
 * allows, and without any it may (RFC 9309 §2.2.2). `/robots.txt` itself always may.
 */
export function isAllowed({ rules }: Pick<Robots, 'rules'>, pathAndQuery: string): boolean {
  if (pathAndQuery === '/robots.txt') return true;
  const path = normaliseEscapes(pathAndQuery);
  let best = { allows: true, length: -1 };
  for (const { allows, pattern } of rules) {
    const isLonger = pattern.length > best.length || (pattern.length === best.length && allows);
    if (isLonger && matchesPath(pattern, path)) best = { allows, length: pattern.length };
  }
  return best.allows;
}

type Group = {
  isNamed: boolean;
  rules: { allows: boolean; pattern: PathPattern }[];
  delaySecs: number | null;
};
const newGroup = (): Group => ({ isNamed: false, rules: [], delaySecs: null });

function addRule(group: Group, allows: boolean, text: string): void {
  if (group.rules.length < MOST_RULES) group.rules.push({ allows, pattern: readPathPattern(text) });
}

const withoutComment = (value: string) => value.replace(/#.*$/s, '').trim();
