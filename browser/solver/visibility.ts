/** Null where the visitor sees the page; else what resolves as soon as they do. */
export type WhenSeen = () => Promise<void> | null;

/** The part of a document that tells. */
export type VisibilitySource = Pick<EventTarget, 'addEventListener' | 'removeEventListener'> & {
  readonly visibilityState: DocumentVisibilityState;
};

/** Waits while a tab is in the background: nobody waits for it there, and it takes the cores of the tab in front. */
export function createWhenSeen(source: VisibilitySource): WhenSeen {
  return () => {
    if (source.visibilityState === 'visible') return null;
    return new Promise((resolve) => {
      const look = () => {
        if (source.visibilityState !== 'visible') return;
        source.removeEventListener('visibilitychange', look);
        resolve();
      };
      source.addEventListener('visibilitychange', look);
    });
  };
}
