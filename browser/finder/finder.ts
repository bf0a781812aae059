import { defineFinderConfig, refreshAll } from './finder-config.ts';

// The script of /finder.js. Nothing that goes wrong in here may stop the page that loads it.

/** Makes the search bars of this page. Done by the script itself already; calling it again changes nothing. */
export async function init(): Promise<void> {
  contain(defineFinderConfig);
}

/** Looks after the bars once more: for a page that made the place of one, or its `<finder-config>`, after loading. */
export function init_finder(): void {
  contain(defineFinderConfig);
  contain(refreshAll);
}

export default init;

function contain(run: () => void): void {
  try {
    run();
  } catch (error) {
    console.error('<finder-config>:', error);
  }
}

contain(defineFinderConfig);
