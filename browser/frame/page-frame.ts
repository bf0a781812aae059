import { after } from '../solver/after.ts';
import type { AskFrameDeps, MountedFrame } from './ask-frame.ts';

/** The frame's dependencies in a real page. */
export function pageFrame(api: string): AskFrameDeps {
  return {
    api,
    pageOrigin: location.origin,
    mount,
    onMessage(listener) {
      addEventListener('message', listener);
      return () => removeEventListener('message', listener);
    },
    makeNonce: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join(''),
    fetch: (url) => fetch(url, { credentials: 'omit', cache: 'no-store' }),
    after,
  };
}

// Rendered, but not to be seen: what is not rendered at all some browsers slow down. Set one by one through the object
// model, which no policy for styles forbids, and important, so that no rule of the page shows it.
const UNSEEN: Record<string, string> = {
  position: 'fixed',
  inset: 'auto 0 0 auto',
  width: '1px',
  height: '1px',
  border: '0',
  margin: '0',
  padding: '0',
  opacity: '0',
  'pointer-events': 'none',
};

function mount(url: string, onLoad: () => void): MountedFrame {
  const frame = document.createElement('iframe');
  frame.title = 'Gatehouse';
  frame.tabIndex = -1;
  frame.setAttribute('aria-hidden', 'true');
  for (const [name, value] of Object.entries(UNSEEN)) frame.style.setProperty(name, value, 'important');
  frame.src = url;
  frame.addEventListener('load', onLoad);
  (document.body ?? document.documentElement).append(frame);
  return { window: frame.contentWindow, remove: () => frame.remove() };
}
