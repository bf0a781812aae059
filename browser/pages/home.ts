import { createChat } from './chat.ts';
import { createCommand } from './command.ts';
import { createDemoSearch } from './demo-search.ts';
import { createGatePanel } from './gate-panel.ts';
import { createLookup } from './lookup.ts';
import { part } from './part.ts';

// The home page: the three areas to try, each with a curl line that fits the address this page came from.

// The note that CSS shows where this script does not come, or cannot be read.
document.querySelector('.late')?.remove();

createGatePanel(document.querySelector<HTMLElement>('#gate') as HTMLElement);

createLookup(document.querySelector<HTMLElement>('#lookup') as HTMLElement);

createChat(document.querySelector<HTMLElement>('#chat') as HTMLElement);
createDemoSearch(document);

for (const name of ['gate-command', 'command'])
  createCommand(part(document, name, HTMLElement)).show(`curl -i ${location.origin}/demo/`);
