/**
 * Server-sent events (HTML standard §9.2.6). An event ends with an empty line; lines end with LF, CR LF or CR.
 */

/** One event as it goes out. `name` null: data alone, as OpenAI writes it. */
export const writeEvent = (name: string | null, data: string): string =>
  `${name === null ? '' : `event: ${name}\n`}data: ${data}\n\n`;

/** The data of one event's text, its lines joined; null where it has none (a comment, a ping). */
export function dataOf(event: string): string | null {
  const lines = event
    .split(/\r\n|\r|\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(line[5] === ' ' ? 6 : 5));
  return lines.length === 0 ? null : lines.join('\n');
}

/**
 * Where the last whole event of `text` ends: the index behind its empty line, 0 where none is whole.
 * A CR at the very end may be the half of a CR LF, so it counts only once something follows.
 */
export function endOfWhole(text: string): number {
  const end = (mark: string) => {
    const at = text.lastIndexOf(mark);
    return at < 0 ? 0 : at + mark.length;
  };
  return Math.max(end('\n\n'), end('\r\n\r\n'), end('\r\r'));
}

/** The whole events of a text, without their empty lines. */
export const eventsOf = (text: string): string[] =>
  text.split(/\r\n\r\n|\n\n|\r\r/).filter((event) => event !== '');
