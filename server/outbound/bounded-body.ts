import { OutboundError } from '../base/outbound.ts';

/**
 * The bytes of `body` as they come, at most `mostBytes` of them; the next one makes it fail with `too-large`.
 * @param end called once, when no more is read
 * @param wait called when bytes are waited for; what it gives is called when they are there
 */
export function boundBody(
  body: ReadableStream<Uint8Array>,
  mostBytes: number,
  explain: (error: unknown) => unknown,
  end: () => void,
  wait: () => () => void = () => () => {},
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let received = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const there = wait();
        const { done, value } = await reader.read().finally(there);
        if (done) {
          end();
          return controller.close();
        }
        received += value.byteLength;
        if (received > mostBytes) {
          throw new OutboundError('too-large', `expected at most ${mostBytes} bytes`);
        }
        controller.enqueue(value);
      } catch (error) {
        end();
        controller.error(explain(error));
        // What is still on the way is not waited for.
        reader.cancel(error).catch(() => {});
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}
