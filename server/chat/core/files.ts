import type { FilePart } from './neutral.ts';

/** What is wrong with a request that has the right members; the caller makes a refusal of it. */
export class UnreadableError extends Error {}

/**
 * The file of a `data:` URL (RFC 2397, base64 alone) or of an http(s) URL, as clients send images.
 * @throws UnreadableError
 */
export function readFileUrl(text: string, where: string, mediaType = 'image/*'): FilePart {
  if (/^data:/i.test(text)) {
    const comma = text.indexOf(',');
    const head = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+)(?:;[a-z0-9-]+=[^;,]*)*;base64$/i.exec(
      text.slice(0, comma),
    );
    if (!head) throw new UnreadableError(`${where}: expected a data URL with a media type and ;base64`);
    return readBase64(text.slice(comma + 1), head[1].toLowerCase(), where);
  }
  if (!/^https?:\/\/[^\s/?#@\\]+([/?#]\S*)?$/i.test(text)) {
    throw new UnreadableError(`${where}: expected a data URL, or an http(s) URL without credentials`);
  }
  return { type: 'file', from: { url: text }, mediaType };
}

/** @throws UnreadableError */
export function readBase64(data: string, mediaType: string, where: string): FilePart {
  // RFC 4648 §4. Providers answer broken base64 in many ways, some of them with a 500.
  if (data === '' || data.length % 4 === 1 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) {
    throw new UnreadableError(`${where}: expected base64`);
  }
  return { type: 'file', from: { base64: data }, mediaType };
}
