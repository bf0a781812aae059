/** Bytes of `text` in UTF-8; half a surrogate pair counts three, as the replacement character that is written for it. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isHigh(unit) && isLow(text.charCodeAt(i + 1))) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return bytes;
}

/** The longest beginning of `text` that has at most `mostBytes` in UTF-8. No pair is torn. */
export function cutUtf8(text: string, mostBytes: number): string {
  // No unit has more than three bytes, so that most texts are not walked at all.
  if (text.length * 3 <= mostBytes) return text;
  let bytes = 0;
  for (let i = 0; i < text.length; ) {
    const unit = text.charCodeAt(i);
    const isPair = isHigh(unit) && isLow(text.charCodeAt(i + 1));
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : isPair ? 4 : 3;
    if (bytes > mostBytes) return text.slice(0, i);
    i += isPair ? 2 : 1;
  }
  return text;
}

const isHigh = (unit: number) => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number) => unit >= 0xdc00 && unit < 0xe000;
