import type { SessionBody, SiteView } from '../../server/wire/console.ts';
import { createAnnouncer } from './announcer.ts';
import { createApi, Refused } from './console/api.ts';
import { createCrawlsTab } from './console/crawls-tab.ts';
import { createGateTab } from './console/gate-tab.ts';
import { createIpTab } from './console/ip-tab.ts';
import { createKeysTab } from './console/keys-tab.ts';
import { createQueriesTab } from './console/queries-tab.ts';
import { createSitesTab } from './console/sites-tab.ts';
import { followStream, type StreamState } from './console/stream.ts';
import { createSystemTab } from './console/system-tab.ts';
import { createTabs, type Tab } from './console/tabs.ts';
import { part } from './part.ts';

// The operator console: signs in, and shows tabs that a stream of the server keeps current.

document.querySelector('.late')?.remove();

// The session slides with what a person does, not with what the page does by itself.
const RENEW_EVERY_MS = 120_000;

const signIn = part(document, 'sign-in', HTMLElement);
const form = part(document, 'sign-in-form', HTMLFormElement);
const app = part(document, 'app', HTMLElement);
const message = part(document, 'sign-in-message', HTMLElement);
const live = part(document, 'live', HTMLElement);
const announcer = createAnnouncer((line) => {
  part(document, 'status', HTMLElement).textContent = line;
});
const api = createApi(() => close('The session is over. Sign in again.'));
let stopStreams: (() => void) | null = null;

const LIVE_TEXT: Record<StreamState, string> = { live: 'live', waiting: 'connecting', ended: 'not live' };

function showState(state: StreamState): void {
  live.textContent = LIVE_TEXT[state];
  live.classList.toggle('state-now', state === 'live');
  // Refused: the session is over, or too many look on. A call tells which.
  if (state === 'ended') void api.get('/api/session').catch(() => {});
}

function open(session: SessionBody): void {
  const gate = createGateTab();
  const ip = createIpTab(api);
  const system = createSystemTab();
  const keys = createKeysTab(api, announcer.say);
  const queries = createQueriesTab(api);
  const crawls = createCrawlsTab(api, announcer.say);
  const sites = createSitesTab(api, announcer.say, (list: readonly SiteView[]) => {
    queries.offer(list);
    crawls.offer(list);
  });
  let latest: Parameters<Parameters<typeof followStream>[0]>[0] | null = null;
  const showGate = () => latest && gate.show(latest.gate);
  const failed = (error: unknown) => announcer.say((error as Error).message);
  const afterSites = (load: () => Promise<void>) => () => void sites.load().then(load).catch(failed);
  const all: Tab[] = [
    { id: 'gate', name: 'Gate', node: gate.node, onShow: showGate },
    ...(session.has.sites
      ? [
          { id: 'sites', name: 'Sites', node: sites.node, onShow: () => void sites.load().catch(failed) },
          ...(session.has.crawls
            ? [
                {
                  id: 'crawls',
                  name: 'Crawls',
                  node: crawls.node,
                  onShow: afterSites(crawls.load),
                },
              ]
            : []),
          {
            id: 'queries',
            name: 'Queries',
            node: queries.node,
            onShow: afterSites(queries.load),
          },
        ]
      : []),
    { id: 'keys', name: 'Keys', node: keys.node, onShow: () => void keys.load().catch(failed) },
    { id: 'ip', name: 'IP', node: ip.node },
    { id: 'system', name: 'System', node: system.node },
  ];
  const tabs = createTabs(part(document, 'tabs', HTMLElement), part(document, 'panels', HTMLElement), all);
  signIn.hidden = true;
  app.hidden = false;
  part(document, 'bar-end', HTMLElement).hidden = false;
  tabs.show();
  stopStreams?.();
  const stopStream = followStream((event) => {
    latest = event;
    // A chart that nobody sees knows no width; its tab draws it when it comes to the front.
    if (gate.node.offsetParent !== null) gate.show(event.gate);
    ip.show(event.gate);
    system.show(event.system);
    crawls.show(event.crawls);
  }, showState);
  stopStreams = () => {
    stopStream();
    crawls.stop();
  };
}

function close(reason: string): void {
  stopStreams?.();
  stopStreams = null;
  app.hidden = true;
  // What was on the screen is no longer for whoever sits there.
  part(document, 'panels', HTMLElement).replaceChildren();
  part(document, 'tabs', HTMLElement).replaceChildren();
  part(document, 'bar-end', HTMLElement).hidden = true;
  signIn.hidden = false;
  message.textContent = reason;
  part(document, 'sign-in-form', HTMLFormElement).querySelector('input')?.focus();
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const input = form.querySelector('input') as HTMLInputElement;
  message.textContent = '';
  try {
    await api.send('POST', '/session', { key: input.value.trim() });
    input.value = '';
  } catch (error) {
    const isWrong = error instanceof Refused && error.status === 401;
    message.textContent = isWrong ? 'This is not the admin key.' : (error as Error).message;
    input.focus();
    return;
  }
  try {
    const { session } = await api.get<{ session: SessionBody | null }>('/session');
    if (session) return open(session);
    message.textContent = isSecureContext
      ? 'The browser did not keep the session. Does it take cookies of this site?'
      : 'The browser keeps the session only over HTTPS, or on localhost. Open the console there.';
  } catch (error) {
    message.textContent = (error as Error).message;
  }
});

part(document, 'sign-out', HTMLButtonElement).addEventListener('click', async () => {
  await api.send('DELETE', '/session').catch(() => {});
  close('Signed out.');
});

let renewedMs = performance.now();
for (const kind of ['pointerdown', 'keydown'] as const) {
  addEventListener(kind, () => {
    if (app.hidden || performance.now() - renewedMs < RENEW_EVERY_MS) return;
    renewedMs = performance.now();
    void api.get('/api/session').catch(() => {});
  });
}

api.get<{ session: SessionBody | null }>('/session').then(
  ({ session }) => (session ? open(session) : close('')),
  (error: Error) => close(error.message),
);
