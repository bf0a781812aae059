import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRetryGuard } from '../../../browser/pages/retry-guard.ts';
import { openTabStorage } from '../../../browser/pages/tab-storage.ts';
import { mapStorage } from './map-storage.ts';

const refused = () => {
  throw new DOMException('denied', 'SecurityError');
};

function fakeHistory(state: unknown = null) {
  return {
    state: state as unknown,
    replaceState(next: unknown) {
      // As browsers do: what is kept is a clone.
      this.state = structuredClone(next);
    },
  };
}

test('sessionStorage serves where it is allowed', () => {
  const session = mapStorage();
  openTabStorage(() => session, fakeHistory()).setItem('k', 'v');
  assert.equal(session.getItem('k'), 'v');
});

test('where it is refused, the history entry remembers, beside what else it holds', () => {
  const history = fakeHistory({ scroll: 7 });
  openTabStorage(refused, history).setItem('k', 'v');
  const afterReload = openTabStorage(refused, history);
  assert.equal(afterReload.getItem('k'), 'v');
  assert.equal(afterReload.getItem('other'), null);
  assert.deepEqual(history.state, { scroll: 7, k: 'v' });
});

test('a full sessionStorage counts as refused', () => {
  const full = { getItem: () => null, setItem: refused };
  const history = fakeHistory('a string of the host page');
  openTabStorage(() => full, history).setItem('k', 'v');
  assert.equal(openTabStorage(() => full, history).getItem('k'), 'v');
});

test('the loop ends although cookies and storage are blocked altogether', () => {
  const history = fakeHistory();
  let solves = 0;
  for (let load = 0; load < 10; load++) {
    const guard = createRetryGuard(openTabStorage(refused, history), '/demo/');
    if (guard.shouldStop(load)) break;
    guard.recordSolve(load, 60_000);
    solves++;
  }
  assert.equal(solves, 2);
});
