import type { LiveBody } from '../../../server/wire/console-crawls.ts';

export type StreamState = 'live' | 'waiting' | 'ended';

/**
 * Follows the server's events until `stop`, while the page can be seen: a phone in a pocket pays for nothing. The browser
 * connects again by itself; where the server refuses, which it does once the session is over, it gives up and says `ended`.
 */
export function followStream(
  onEvent: (live: LiveBody) => void,
  onState: (state: StreamState) => void,
): () => void {
  let source: EventSource | null = null;

  function follow(): void {
    source?.close();
    source = null;
    if (document.visibilityState === 'hidden') return;
    const opened = new EventSource('/console/api/live');
    opened.addEventListener('message', ({ data }) => {
      onState('live');
      onEvent(JSON.parse(data) as LiveBody);
    });
    opened.addEventListener('error', () =>
      onState(opened.readyState === EventSource.CLOSED ? 'ended' : 'waiting'),
    );
    source = opened;
  }

  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    source?.close();
  };
}
