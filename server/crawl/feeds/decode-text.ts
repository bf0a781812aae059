// How far a declaration is looked for: XML puts it first, HTML in the first 1,024 bytes (HTML §4.2.5.5).
const LOOKED_AT = 1_024;

/**
 * The text of XML, HTML or JSON that came over HTTP, whatever it is in: by its byte order mark, then by the `charset` of
 * its Content-Type (RFC 7303 §3), then by what it says of itself, else UTF-8. A name that nobody knows counts for nothing,
 * and bytes that are no text become U+FFFD: half a feed is better than none.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, LOOKED_AT));
  const declared = [
    markOf(bytes),
    /charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType ?? '')?.[1],
    ownWord(head),
  ];
  for (const label of declared) {
    const decoder = label ? decoderOf(label) : null;
    if (decoder) return decoder.decode(bytes);
  }
  return new TextDecoder().decode(bytes);
}

/** Encoding standard §6.1, and UTF-16 that lost its mark: `<` and `?` or a letter, each with a zero (XML 1.0, F.1). */
function markOf(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0 && c !== 0 && d === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c && c === 0 && d !== 0)) return 'utf-16be';
  return undefined;
}

function ownWord(head: string): string | undefined {
  const xml = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)/i.exec(head)?.[1];
  const html = /<meta\b[^>]*?\bcharset\s*=\s*["']?([^\s"'>/;]+)/i.exec(head)?.[1];
  const word = xml ?? html;
  // What can be read this far is not in UTF-16, whatever it says (HTML §13.2.3.2).
  return word && /^utf-?16/i.test(word) ? 'utf-8' : word;
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(label.trim());
  } catch {
    return null;
  }
}
