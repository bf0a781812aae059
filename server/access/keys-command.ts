import { parseArgs } from 'node:util';
import { KEY_TIERS, type KeyTier } from '../wire/access.ts';
import type { Access } from './service.ts';

const USAGE =
  'expected: keys issue --tier free|pro|enterprise --tenant NAME [--route ID …] | keys list | keys revoke KEY_ID';

/** Where a command writes: results on `log`, what went wrong on `error`. */
export type Output = { log(line: string): void; error(line: string): void };

/** Runs `keys issue|list|revoke`; gives the exit status, 2 for a command that is none. Results are JSON, a line each. */
export async function runKeysCommand(
  args: readonly string[],
  access: Access,
  output: Output,
): Promise<number> {
  const [command, ...rest] = args;
  try {
    if (command === 'issue') {
      output.log(JSON.stringify(await access.issue(readIssue(rest))));
      return 0;
    }
    if (command === 'list' && rest.length === 0) {
      for (const { secretHash: _, ...shown } of await access.list()) output.log(JSON.stringify(shown));
      return 0;
    }
    if (command === 'revoke' && rest.length === 1) {
      if (await access.revoke(rest[0])) return 0;
      output.error(`no key has the id ${JSON.stringify(rest[0])}`);
      return 1;
    }
  } catch (error) {
    output.error((error as Error).message);
    return 2;
  }
  output.error(USAGE);
  return 2;
}

function readIssue(args: string[]): { tier: KeyTier; tenant: string; routes: string[] } {
  const { values } = parseArgs({
    args,
    options: {
      tier: { type: 'string' },
      tenant: { type: 'string' },
      route: { type: 'string', multiple: true },
    },
  });
  const tier = KEY_TIERS.find((known) => known === values.tier);
  if (!tier)
    throw new RangeError(`--tier: expected ${KEY_TIERS.join(', ')}, got ${values.tier ?? 'nothing'}`);
  if (!values.tenant || !/^[\w.@ -]{1,100}$/.test(values.tenant)) {
    throw new RangeError('--tenant: expected a name of 1 to 100 letters, digits, spaces and . _ @ -');
  }
  return { tier, tenant: values.tenant, routes: [...new Set(values.route)] };
}
