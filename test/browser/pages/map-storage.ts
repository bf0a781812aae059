/** A Storage over a Map, for tests. */
export function mapStorage(initial: [string, string][] = []) {
  const entries = new Map(initial);
  return {
    entries,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
}
