import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Finding = { id: string; impact: string | null; nodes: { target: unknown }[] };

/** What axe-core calls serious or critical on the page as it stands: `rule at selector`. */
export async function findSerious(page: Page): Promise<string[]> {
  // Through the debugger, so that the page's own policy for scripts stays as it is.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Runtime.evaluate', { expression: axeSource });
  const { result, exceptionDetails } = await devtools.send('Runtime.evaluate', {
    expression: 'axe.run().then(({ violations }) => violations)',
    awaitPromise: true,
    returnByValue: true,
  });
  await devtools.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  const findings = result.value as Finding[];
  return findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target).join(', ')}`);
}
