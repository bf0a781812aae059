import type { Visit } from './policy.ts';

/** What each verdict means at the gate. The table of `docs/gate.md` is made from this one. */
export const VERDICTS = {
  human: { extraBits: 0, isLetIn: true, meaning: 'let in without a proof' },
  suspect: { extraBits: 0, isLetIn: false, meaning: 'pays the bits of the route' },
  bot: { extraBits: 4, isLetIn: false, meaning: 'pays a heavier puzzle: sixteen times the work' },
} as const satisfies Record<string, { extraBits: number; isLetIn: boolean; meaning: string }>;

export type Verdict = keyof typeof VERDICTS;

/** The component that judges a visit. It may ask elsewhere, but it always answers and never throws. */
export type VerdictOf = (visit: Visit) => Verdict | Promise<Verdict>;

// What a policy and an envelope may ask at most (specification, table of tiers).
const MOST_BITS = 32;

/** The one place where a verdict becomes bits: of a challenge, and of what a passport or a proof must have. */
export const bitsUnder = (verdict: Verdict, policyBits: number): number =>
  Math.max(policyBits, Math.min(MOST_BITS, policyBits + VERDICTS[verdict].extraBits));

/**
 * The built-in verdict: who says in its User-Agent that it is a robot, or says nothing at all, is a bot; everyone else is
 * suspect. It never says human, since anyone can send any User-Agent.
 *
 * Plain clients (curl, Git, feed readers, scripting libraries) and headless browsers are suspects: the visitors of many
 * sites, and the operator's own tests, come with them.
 */
export function builtInVerdict({ userAgent }: Pick<Visit, 'userAgent'>): Exclude<Verdict, 'human'> {
  return userAgent.trim() === '' || DECLARED.test(userAgent.toLowerCase()) ? 'bot' : 'suspect';
}

// The words that crawlers end their names with (RFC 9309 §2.2.1 recommends that the product token identifies the
// crawler): Googlebot, bingbot, CCBot/2.0, Baiduspider, archive.org_bot, "+https://example.org/bot.html". A letter that
// follows makes it another word (botany), and CUBOT makes phones. Lower case; linear: no repetition but one letter.
const ROBOT_WORD = /(?:(?<!\bcu)bot|crawler|spider)s?(?![a-z])/;

/**
 * Crawlers and fetchers that name themselves without such a word: lower-case pieces of the User-Agent that their
 * operators document, without a character that means something in a pattern. Names that exist in robots.txt alone (Google-Extended, Applebot-Extended) send no request.
 */
export const DECLARED_BOTS: readonly string[] = [
  // Search and advertising
  'apis-google',
  'google-inspectiontool',
  'google-read-aloud',
  'googleother',
  'mediapartners-google',
  'slurp', // Yahoo! Slurp
  'qwantify',
  'yandeximages',
  // Training and answering machines
  'anthropic-ai',
  'chatgpt-user',
  'claude-user',
  'claude-web',
  'cohere-ai',
  'google-cloudvertex',
  'meta-externalagent',
  'meta-externalfetcher',
  'mistralai-user',
  'perplexity-user',
  'webzio-extended',
  // Previews of shared links
  'embedly',
  'facebookcatalog',
  'facebookexternalhit',
  'iframely',
  'skypeuripreview',
  'snap url preview',
  // Archives, and the crawling software itself
  'barkrowler',
  'heritrix',
  'httrack',
  'ia_archiver',
  'nutch',
  'omgili',
  'scrapy',
];

// All in one, since every visit is asked: name by name takes seven times as long.
const DECLARED = new RegExp([ROBOT_WORD.source, ...DECLARED_BOTS].join('|'));

/** The table of the documentation: verdict, bits, meaning. */
export function verdictTable(): string {
  const rows = Object.entries(VERDICTS).map(
    ([name, { extraBits, isLetIn, meaning }]) =>
      `| \`${name}\` | ${isLetIn ? 'none' : extraBits === 0 ? 'as the route says' : `+${extraBits}, at most ${MOST_BITS}`} | ${meaning} |`,
  );
  return ['| verdict | bits at the gate | meaning |', '|---|---|---|', ...rows].join('\n');
}
