import { networkText } from '../base/network.ts';
import type { Context } from '../http/request-state.ts';
import type { Route } from './core/policy.ts';
import { readWorkAsked, type WorkAsked } from './core/work-price.ts';
import type { Gate, Shown } from './service.ts';

// All our choice. A small body is read for everybody, as at every other endpoint.
const SMALL_BYTES = 65_536;
// What one who shows no work may have read, some 250,000 tokens of text, and all of one network and of all together. What
// is announced counts, and may never come: without a bound of its own one machine could take the room of everybody.
const UNPAID_BYTES = 1_048_576;
const NETWORK_UNPAID_BYTES = 4 * UNPAID_BYTES;
const ALL_UNPAID_BYTES = 32 * UNPAID_BYTES;

export type AskedWorkDeps = {
  gate: Pick<Gate, 'hasWorked'>;
  /**
   * The JSON body of a request, kept for the route behind the gate. Asked only where the price depends on it.
   * @throws Fault where there is none that can be read
   */
  readBody(ctx: Context): Promise<unknown>;
  /** `readBody` refuses at once what announces more. */
  bodyLimitBytes: number;
};

/**
 * What a request asks a model for; null where it has no body, and where its body is not worth reading before it has paid:
 * the price is then the highest. Who shows work for the route, be it at its lowest price, has a body of any length read, one
 * for each proof at a time; for the others there is a bound each, one for each network and one for all together.
 * @throws (the function given) Fault of `readBody`
 */
export function createAskedWork({ gate, readBody, bodyLimitBytes }: AskedWorkDeps) {
  const readingFor = new Set<string>();
  let unpaidBytes = 0;
  const unpaidOf = new Map<string, number>();

  /** Takes room for a body, and gives what returns it; null where there is none. */
  function takeRoom(network: string, bytes: number): (() => void) | null {
    const ofNetwork = (unpaidOf.get(network) ?? 0) + bytes;
    if (bytes > UNPAID_BYTES || ofNetwork > NETWORK_UNPAID_BYTES || unpaidBytes + bytes > ALL_UNPAID_BYTES)
      return null;
    unpaidBytes += bytes;
    unpaidOf.set(network, ofNetwork);
    return () => {
      unpaidBytes -= bytes;
      const left = (unpaidOf.get(network) ?? 0) - bytes;
      if (left > 0) unpaidOf.set(network, left);
      else unpaidOf.delete(network);
    };
  }

  return async function askedWork(ctx: Context, route: Route, shown: Shown): Promise<WorkAsked | null> {
    if (!['POST', 'PUT', 'PATCH'].includes(ctx.method)) return null;
    const read = async () => readWorkAsked(await readBody(ctx));
    // One that does not tell its length may be of any.
    const bytes = ctx.request.length ?? bodyLimitBytes;
    if (bytes <= SMALL_BYTES || bytes > bodyLimitBytes) return read();

    // A proof that is not spent by a failed check would otherwise be worth any number of bodies at once.
    const { proof } = shown;
    const isReading = proof !== null && readingFor.has(proof);
    if (!isReading && gate.hasWorked(route, shown)) {
      if (proof !== null) readingFor.add(proof);
      try {
        return await read();
      } finally {
        if (proof !== null) readingFor.delete(proof);
      }
    }
    const giveBack = takeRoom(networkText(shown.network), bytes);
    try {
      return giveBack && (await read());
    } finally {
      giveBack?.();
    }
  };
}
