import type { Finding } from './risk.ts';

/** Header values by lower-case name; several of one name are joined by a comma (RFC 9110 §5.3). */
export type Headers = ReadonlyMap<string, string>;

type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers as they are compared: names in lower case, values without outer spaces. */
export function readHeaders(record: HeaderRecord): Headers {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue;
    const text = (typeof value === 'string' ? value : value.join(', ')).trim();
    const known = headers.get(name.toLowerCase());
    headers.set(name.toLowerCase(), known ? `${known}, ${text}` : text);
  }
  return headers;
}

/** What the headers of a visitor say. `isDeclaredBot` knows the User-Agents of programs. */
export function findInHeaders(headers: Headers, isDeclaredBot: (userAgent: string) => boolean): Finding[] {
  const findings: Finding[] = [];
  const userAgent = headers.get('user-agent') ?? '';
  if (userAgent === '') findings.push({ code: 'no-user-agent', detail: 'the header is missing or empty' });
  else if (isDeclaredBot(userAgent)) findings.push({ code: 'declared-bot', detail: userAgent.slice(0, 200) });
  if (!headers.get('accept-language'))
    findings.push({ code: 'no-accept-language', detail: 'the header is missing' });
  if (!headers.get('accept-encoding'))
    findings.push({ code: 'no-accept-encoding', detail: 'the header is missing' });
  const contradiction = findContradiction(headers, userAgent);
  if (contradiction) findings.push({ code: 'hints-contradict', detail: contradiction });
  return findings;
}

// What Sec-CH-UA-Platform calls a system (User-Agent Client Hints §3.8), and what the User-Agent writes for it.
const PLATFORMS: Readonly<Record<string, RegExp>> = {
  windows: /Windows/,
  macos: /Macintosh|Mac OS X/,
  linux: /Linux|X11/,
  android: /Android/,
  'chrome os': /CrOS/,
  'chromium os': /CrOS/,
  ios: /iPhone|iPad|Macintosh/,
};

/** The first thing in the client hints that the User-Agent denies, or null. Hints that were not sent say nothing. */
function findContradiction(headers: Headers, userAgent: string): string | null {
  const platform = unquote(headers.get('sec-ch-ua-platform'));
  const written = platform && PLATFORMS[platform.toLowerCase()];
  if (written && !written.test(userAgent)) return `platform ${platform} is not in the User-Agent`;

  const mobile = headers.get('sec-ch-ua-mobile');
  // A tablet says ?0 and may or may not write Mobile: only the phone's claim is compared.
  if (mobile === '?1' && !/Mobile|Android/.test(userAgent))
    return 'mobile hint without Mobile in the User-Agent';

  const brands = headers.get('sec-ch-ua');
  if (brands !== undefined && !/Chrome|Chromium|CriOS|Edg/.test(userAgent)) {
    return 'brand hints from a browser whose User-Agent is not Chromium’s';
  }
  const major = brands && /"Chromium";\s*v="(\d+)"/.exec(brands)?.[1];
  const claimed = /Chrom(?:e|ium)\/(\d+)/.exec(userAgent)?.[1];
  if (major && claimed && major !== claimed) return `brand version ${major}, User-Agent version ${claimed}`;
  return null;
}

const unquote = (text: string | undefined) => text?.replace(/^"(.*)"$/, '$1').trim() || null;

/** Raised when the same visitor would get another fingerprint than before. */
export const FINGERPRINT_VERSION = 1;

const FINGERPRINTED = [
  'user-agent',
  'accept',
  'accept-language',
  'accept-encoding',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
];

/**
 * A short name for a kind of browser: 32 hexadecimal digits, the first half of SHA-256 over the version and seven
 * headers in a fixed order, absent ones as such. Neither address nor cookie is in it: it groups visitors, and does not
 * tell two with the same browser apart.
 */
export function fingerprintOf(headers: Headers, sha256: (text: string) => Uint8Array): string {
  const parts = FINGERPRINTED.map((name) => headers.get(name) ?? null);
  const digest = sha256(JSON.stringify([FINGERPRINT_VERSION, ...parts]));
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const SECRET_HEADERS = new Set([
  'cookie',
  'set-cookie',
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'pow',
]);
const REDACTED = '[redacted]';

/** The headers as they may be shown: what could be a secret is replaced. */
export function redactHeaders(record: HeaderRecord): Record<string, string | string[]> {
  const shown: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue;
    const isSecret =
      SECRET_HEADERS.has(name.toLowerCase()) || /token|secret|password|api-?key|session/i.test(name);
    const readable = typeof value === 'string' ? value : [...value];
    // A member of this name would be the prototype's.
    Object.defineProperty(shown, name, { value: isSecret ? REDACTED : readable, enumerable: true });
  }
  return shown;
}

const SECRET_NAME = /secret|token|password|key|passport|session/i;

/**
 * A request target whose query shows no secrets.
 *
 * Cut at `&`, `;` and `=`, and each piece looked at once: one pattern for it all takes half a minute for a head of
 * `?secret?secret?secret`.
 */
export function redactTarget(target: string): string {
  const shown = target.split(/(?=[&;])/).map((parameter) => {
    const pieces = parameter.split('=');
    const at = pieces.findIndex((piece, i) => i < pieces.length - 1 && namesSecret(piece));
    return at < 0 ? parameter : `${pieces.slice(0, at + 1).join('=')}=${REDACTED}`;
  });
  return shown.join('');
}

/** Whether a secret's name stands behind what begins a parameter. */
function namesSecret(piece: string): boolean {
  const start = piece.search(/[?&;]/);
  return start >= 0 && SECRET_NAME.test(piece.slice(start));
}
