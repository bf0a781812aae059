/** What the retry guard needs of a Storage. */
export type TabStorage = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * A storage that lives as long as the tab: sessionStorage, or the history entry's state where that is refused.
 *
 * A browser that blocks cookies refuses sessionStorage too (it throws), and that is the very case in which the
 * verifying page must remember that it has been here before. The state of a history entry survives a reload.
 */
export function openTabStorage(
  session: () => TabStorage,
  history: Pick<History, 'state' | 'replaceState'>,
): TabStorage {
  try {
    const storage = session();
    storage.setItem('gatehouse:probe', '1');
    return storage;
  } catch {
    const read = (): Record<string, unknown> =>
      typeof history.state === 'object' && history.state !== null ? history.state : {};
    return {
      getItem(key) {
        const value = read()[key];
        return typeof value === 'string' ? value : null;
      },
      setItem: (key, value) => history.replaceState({ ...read(), [key]: value }, ''),
    };
  }
}
