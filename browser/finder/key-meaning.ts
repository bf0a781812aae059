import type { FinderEvent, FinderState, Move } from './finder-state.ts';

/** What a key in the field means; null where it is the field's own. */
export type KeyMeaning = FinderEvent | { type: 'follow' } | { type: 'search' } | null;

const MOVES: Record<string, Move> = { ArrowDown: 'next', ArrowUp: 'previous', Home: 'first', End: 'last' };

/** @param key the `key` of a `keydown` without Alt, outside of a composition */
export function meaningOf(key: string, { active, isOpen, text }: FinderState): KeyMeaning {
  const to = MOVES[key];
  // Home and End are for the text until a result is chosen.
  if (to) return active < 0 && /^[HE]/.test(key) ? null : { type: 'move', to };
  if (key === 'Enter') return { type: active < 0 ? 'search' : 'follow' };
  if (key !== 'Escape' || (!isOpen && text === '')) return null;
  return { type: isOpen ? 'close' : 'clear' };
}
