/** `gh_<keyId>_<secret>`: 12 hexadecimal digits that name the key, and 43 characters of base64url (32 bytes). */
const API_KEY = /^gh_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

export const KEY_ID_BYTES = 6;
export const SECRET_BYTES = 32;

/** The two parts of a key's text, or null where the text has not the shape of one. */
export function readApiKey(text: string): { keyId: string; secret: string } | null {
  const parts = API_KEY.exec(text);
  return parts && { keyId: parts[1], secret: parts[2] };
}

/** The text of a key, which is shown once and kept nowhere. */
export const writeApiKey = (keyId: string, secret: string): string => `gh_${keyId}_${secret}`;
