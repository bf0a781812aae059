/** Pages a second. @throws RangeError */
export function readSpeed(text: string): number {
  const speed = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (!(speed > 0 && speed <= 1_000)) {
    throw new RangeError(`expected pages a second, above 0 and up to 1000, got ${JSON.stringify(text)}`);
  }
  return speed;
}

/** A `User-Agent` that begins with a token which a robots.txt can name (RFC 9309 §2.2.1). @throws RangeError */
export function readUserAgent(text: string): string {
  if (!/^[A-Za-z_-]+($|[/ ][\x20-\x7e]*$)/.test(text) || text.length > 256) {
    throw new RangeError(
      'expected a token of letters, - and _, and what may stand behind it in a User-Agent',
    );
  }
  return text;
}
