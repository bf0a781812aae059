import type { LiveBody } from '../../../server/wire/console.ts';

export type StreamState = 'live' | 'waiting' | 'ended';

/**
 * Follows the server's events until `stop`. The browser connects again by itself; where the server refuses, which it does
 * once the session is over, it gives up and says `ended`.
 */
export function followStream(
  onEvent: (live: LiveBody) => void,
  onState: (state: StreamState) => void,
): () => void {
  const source = new EventSource('/console/api/live');
  source.addEventListener('message', ({ data }) => {
    onState('live');
    onEvent(JSON.parse(data) as LiveBody);
  });
  source.addEventListener('error', () =>
    onState(source.readyState === EventSource.CLOSED ? 'ended' : 'waiting'),
  );
  return () => source.close();
}
