import { servePage } from '../frame/serve-page.ts';
import { obtainPassport, solveChallenge } from '../solver/session.ts';

// The page that solves for a page of another origin, which frames it. Opened by itself it says what it is.

const note = document.querySelector('p');
const nonce = location.hash.slice(1);

if (parent === window || nonce === '') {
  if (note) note.hidden = false;
} else {
  servePage({
    parent,
    origin: document.body.dataset.origin || location.origin,
    nonce,
    onMessage: (listener) => addEventListener('message', listener),
    obtainPassport,
    solveChallenge,
  });
}
