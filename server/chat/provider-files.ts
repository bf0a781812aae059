import type { Outbound } from '../base/outbound.ts';
import { fault } from '../wire/problem.ts';
import type { Call, FilePart, Message } from './core/neutral.ts';

// Our choice: as much as a whole request may hold, and more pictures than people show.
const MOST_BYTES = 10_000_000;
const MOST_FILES = 20;

/** What a model takes as a URL: media type to patterns. */
export type SupportedUrls = Record<string, RegExp[]>;

/**
 * The call with every file fetched that the provider does not fetch itself. By the guard, so that nobody looks into the
 * operator's network with the picture of a model.
 * @throws Fault `malformed-request`
 */
export async function fetchFiles(
  call: Call,
  supported: SupportedUrls,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<Call> {
  let count = 0;
  const fetchOne = async (part: FilePart): Promise<FilePart> => {
    if (!('url' in part.from) || isSupported(part.from.url, part.mediaType, supported)) return part;
    if (++count > MOST_FILES)
      throw fault('malformed-request', `messages: expected at most ${MOST_FILES} URLs of files`);
    return { ...part, ...(await readFile(part.from.url, part.mediaType, outbound, signal)) };
  };
  const prompt = await Promise.all(
    call.prompt.map(async (message): Promise<Message> => {
      if (message.role !== 'user') return message;
      const content = message.content.map((part) => (part.type === 'file' ? fetchOne(part) : part));
      return { role: 'user', content: await Promise.all(content) };
    }),
  );
  return { ...call, prompt };
}

function isSupported(url: string, mediaType: string, supported: SupportedUrls): boolean {
  const [family] = mediaType.split('/');
  return Object.entries(supported).some(
    ([type, patterns]) =>
      ['*', '*/*', mediaType, `${family}/*`].includes(type) && patterns.some((pattern) => pattern.test(url)),
  );
}

async function readFile(
  url: string,
  expected: string,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<Pick<FilePart, 'from' | 'mediaType'>> {
  // Whether there is nothing, or something that is not to be reached, is not told: it would map the operator's network.
  const refuse = (cause?: unknown) =>
    fault('malformed-request', `messages: the file of a URL could not be fetched as ${expected}`, { cause });
  try {
    const answer = await outbound(url, { signal, redirect: 'follow', mostBytes: MOST_BYTES });
    const mediaType = (answer.headers.get('content-type') ?? '').split(';')[0].trim().toLowerCase();
    const isRight = expected.endsWith('/*')
      ? mediaType.startsWith(expected.slice(0, -1))
      : mediaType === expected;
    if (!answer.ok || !isRight) {
      await answer.body?.cancel();
      throw refuse();
    }
    return { from: { base64: Buffer.from(await answer.arrayBuffer()).toString('base64') }, mediaType };
  } catch (cause) {
    throw refuse(cause);
  }
}
