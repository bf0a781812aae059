/**
 * The `most` places of `keys` with the greatest keys, the greatest first; of equal keys the lower place first.
 * A heap: the cost grows with the number of keys, and hardly with `most`.
 */
export function greatest(keys: ArrayLike<number>, most: number): number[] {
  const heap: number[] = [];
  const isLess = (a: number, b: number) => keys[a] < keys[b] || (keys[a] === keys[b] && a > b);
  const sink = (from: number) => {
    let at = from;
    for (;;) {
      const left = at * 2 + 1;
      if (left >= heap.length) return;
      const least = left + 1 < heap.length && isLess(heap[left + 1], heap[left]) ? left + 1 : left;
      if (!isLess(heap[least], heap[at])) return;
      const above = heap[at];
      heap[at] = heap[least];
      heap[least] = above;
      at = least;
    }
  };
  for (let place = 0; place < keys.length; place++) {
    // Nearly all of many are less than the least of the greatest.
    if (heap.length === most && most > 0 && keys[place] <= keys[heap[0]]) continue;
    if (heap.length < most) {
      heap.push(place);
      if (heap.length === most) for (let i = most >> 1; i >= 0; i--) sink(i);
    } else if (most > 0 && isLess(heap[0], place)) {
      heap[0] = place;
      sink(0);
    }
  }
  return heap.sort((a, b) => (isLess(b, a) ? -1 : 1));
}
