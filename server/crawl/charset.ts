// Where HTML must say its encoding (HTML Standard, "determining the character encoding": the first 1024 bytes).
const PRESCAN_BYTES = 1_024;

/**
 * The text of a page's bytes: by its byte order mark, the header's charset, a meta or XML declaration at its beginning,
 * and where nothing says UTF-8 if it is that, else windows-1252 (the HTML Standard's order).
 */
export function decodePage(bytes: Uint8Array, contentType: string | null): string {
  const named = labelOfMark(bytes) ?? readLabel(charsetOf(contentType)) ?? readLabel(charsetOfMarkup(bytes));
  if (named !== null) return new TextDecoder(named).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The charset parameter of a `Content-Type`, or null. */
export const charsetOf = (contentType: string | null): string | null =>
  /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;]+))/i
    .exec(contentType ?? '')
    ?.slice(1)
    .find(Boolean) ?? null;

function labelOfMark([a, b, c]: Uint8Array): string | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return a === 0xff && b === 0xfe ? 'utf-16le' : null;
}

function charsetOfMarkup(bytes: Uint8Array): string | null {
  const { buffer, byteOffset, length } = bytes;
  const head = Buffer.from(buffer, byteOffset, Math.min(length, PRESCAN_BYTES)).toString('latin1');
  const plain = head.replace(/<!--[\s\S]*?-->/g, '');
  const meta = /<meta\s[^>]*?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]+)/i.exec(plain)?.[1];
  const found = meta ?? /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9_:.-]+)/i.exec(plain)?.[1] ?? null;
  // Whoever reads the declaration as ASCII has no UTF-16 in front of him (HTML Standard, prescan).
  return found !== null && /^utf-?16/i.test(found) ? 'utf-8' : found;
}

/** The name under which the decoder knows the label (Encoding Standard §4.2), or null. */
function readLabel(label: string | null): string | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
