/** One command of the command line. */
export type Command = {
  /** How it is called and what it does, for the usage text. */
  usage: string;
  /** Whether it takes these options; left out where it reads and refuses them itself. */
  takes?(options: readonly string[]): boolean;
  /** Runs it; gives the exit status, undefined for a command that goes on until a signal ends it. */
  run(options: readonly string[]): Promise<number | undefined>;
};

const MISUSED = 2;

/**
 * Runs the command that `args` name. What the operator can mend ends the process with status 1 and one clear message; a
 * command that is none gets the usage text and status 2.
 */
export async function runCommandLine(
  args: readonly string[],
  { version, commands }: { version: string; commands: Record<string, Command> },
): Promise<void> {
  const [name, ...options] = args;
  if (name === '--version') return console.log(version);
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : null;
  if (!command || command.takes?.(options) === false) {
    const usages = Object.values(commands).map(({ usage }) => usage);
    console.error([...usages, 'gatehouse --version'].join('\n'));
    process.exitCode = name === undefined || name === '--help' ? 0 : MISUSED;
    return;
  }
  try {
    process.exitCode = await command.run(options);
  } catch (error) {
    console.error(`gatehouse: ${describe(error as Error & { code?: string })}`);
    process.exit(1);
  }
}

/** What the operator can mend is told in a line; a TypeError or the like is a bug of ours and comes with its place. */
function describe(error: Error & { code?: string }): string {
  const isBug = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  return isBug && !error.code ? (error.stack ?? error.message) : error.message;
}
