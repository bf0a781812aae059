import { createChat } from './chat.ts';
import { createDemoSearch } from './demo-search.ts';
import { createGatePanel } from './gate-panel.ts';
import { createLookup } from './lookup.ts';
import { part } from './part.ts';

// The home page: the panel that runs the gate, and a curl line that fits the address this page came from.

// The note that CSS shows where this script does not come, or cannot be read.
document.querySelector('.late')?.remove();

createGatePanel(document.querySelector<HTMLElement>('#gate') as HTMLElement);

createLookup(document.querySelector<HTMLElement>('#lookup') as HTMLElement);

createChat(document.querySelector<HTMLElement>('#chat') as HTMLElement);
createDemoSearch(document);

const command = part(document, 'command', HTMLElement);
command.textContent = `curl -i ${location.origin}/demo/`;

const copy = part(document, 'copy', HTMLButtonElement);
// The clipboard is there in secure contexts only; elsewhere the text can be selected as always.
copy.hidden = navigator.clipboard === undefined;
copy.addEventListener('click', async () => {
  const copied = await navigator.clipboard.writeText(command.textContent ?? '').then(
    () => true,
    () => false,
  );
  copy.textContent = copied ? 'Copied' : 'Not allowed';
  setTimeout(() => {
    copy.textContent = 'Copy';
  }, 2000);
});
