// The names that stand before a colon and are no crawler's.
const VALUED = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview']);

/**
 * What `X-Robots-Tag` asks of us: the words for all, and those behind our token and a colon. A name counts until the next.
 * @param header the header's value, of several lines joined by commas
 */
export function readRobotsTag(
  header: string | null,
  token: string,
): { isNoindex: boolean; isNofollow: boolean } {
  const own = token.toLowerCase();
  const words: string[] = [];
  let isForUs = true;
  for (const part of (header ?? '').toLowerCase().split(',')) {
    let word = part.trim();
    const [, name, rest] = /^([a-z0-9_-]+)\s*:(.*)$/.exec(word) ?? [];
    if (name !== undefined && !VALUED.has(name)) {
      isForUs = name === own || name === '*';
      word = rest.trim();
    }
    if (isForUs) words.push(...word.split(/\s+/));
  }
  const has = (word: string) => words.includes(word) || words.includes('none');
  return { isNoindex: has('noindex'), isNofollow: has('nofollow') };
}
