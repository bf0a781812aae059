import { readFileSync } from 'node:fs';
import { runKeysCommand } from './access/keys-command.ts';
import { backUp, restore } from './backup-command.ts';
import type { Log } from './base/ports.ts';
import { systemClock, systemTimer } from './base/system.ts';
import { runCommandLine } from './command-line.ts';
import { readConfig } from './config.ts';
import { runCrawlCommand } from './crawl-command.ts';
import { runDataCommand } from './ip/data/update-command.ts';
import { ipFolder, openAccess, openDevices, openState } from './open-parts.ts';
import { readOperatorFile } from './operator-file.ts';
import { createOutbound } from './outbound/guarded-fetch.ts';
import { type Env, serve } from './serve.ts';
import { readServerConfig } from './server-config.ts';
import { runSolveCommand, solveInWasm } from './solve-command.ts';
import { openEnvironment } from './store/environment.ts';
import { openMemoryCallCounts } from './store/memory-call-counts.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

// What a command tells beside its result: that there is no store.
const quietLog: Log = {
  info() {},
  warn() {},
  error: (fields, message) =>
    console.error(`gatehouse: ${message}: ${(fields as { err?: Error }).err?.message}`),
};

/** The command line: every command, what it is called with, and what it does. */
export const main = (args: readonly string[], env: Env): Promise<void> =>
  runCommandLine(args, {
    version,
    commands: {
      serve: {
        usage: `gatehouse serve [--demo]
  run the server; --demo serves the home page and a gated demo as well`,
        takes: (options) => options.every((option) => option === '--demo'),
        run: (options) =>
          serve(options.includes('--demo') && !env.DEMO ? { ...env, DEMO: '1' } : env, version),
      },
      check: {
        usage: `gatehouse check
  read the configuration and every file that it names, as serve would, and start nothing`,
        takes: (options) => options.length === 0,
        async run() {
          readServerConfig(env);
          console.log('the configuration has no fault');
          return 0;
        },
      },
      keys: {
        usage: `gatehouse keys issue --tier free|pro|enterprise --tenant NAME [--route ID …]
  make an API key; it is printed once and kept as a hash only
gatehouse keys list
gatehouse keys revoke KEY_ID`,
        run: (options) => keys(options, env),
      },
      data: {
        usage: `gatehouse data update [--from URL]
  fetch the current IP data, prove it and put it in place; --from names a mirror`,
        run: (options) => data(options, env),
      },
      backup: {
        usage: `gatehouse backup FOLDER
  copy the store and the kept secrets into a new folder, while the server runs`,
        takes: (options) => options.length === 1,
        run: ([folder]) => backUp(folder, readConfig(env, readOperatorFile), console),
      },
      restore: {
        usage: `gatehouse restore FOLDER
  put a backup into a DATA_DIR without a store, while no server runs; challenges from before are not good any more`,
        takes: (options) => options.length === 1,
        run: ([folder]) => restore(folder, readConfig(env, readOperatorFile), console),
      },
      devices: {
        usage: `gatehouse devices clear
  forget all figures that visitors left at /bench`,
        takes: (options) => options.join(' ') === 'clear',
        run: () => clearDevices(env),
      },
      crawl: {
        usage: `gatehouse crawl URL
  crawl a site as the server would, keep nothing, and tell what was found and what was left out`,
        takes: (options) => options.length === 1,
        run: ([url]) => crawl(url, env),
      },
      solve: {
        usage: `gatehouse solve URL [--data JSON]
  pay what the gate in front of URL asks, and print the cookie that opens it, or the proof for one request; --data asks by POST`,
        run: (options) => runSolveCommand(options, { fetch, solve: solveInWasm, output: console }),
      },
    },
  });

/** The `keys` commands, on the stores of the server, which may be running. */
async function keys(args: readonly string[], env: Env): Promise<number> {
  const config = readConfig(env, readOperatorFile);
  const environment = await openEnvironment(config.DATA_DIR);
  const state = await openState(config, environment, quietLog, openMemoryCallCounts);
  try {
    return await runKeysCommand(args, openAccess(state), console);
  } finally {
    state.close();
    await environment.close();
  }
}

/** The `devices clear` command, likewise. */
async function clearDevices(env: Env): Promise<number> {
  const config = readConfig(env, readOperatorFile);
  const environment = await openEnvironment(config.DATA_DIR);
  try {
    console.log(JSON.stringify({ forgotten: await openDevices(environment).clear() }));
    return 0;
  } finally {
    await environment.close();
  }
}

/** The `data` commands, on the folder that a running server looks at. */
async function data(args: readonly string[], env: Env): Promise<number> {
  const config = readConfig(env, readOperatorFile);
  const outbound = createOutbound({ allow: config.OUTBOUND_ALLOW, timer: systemTimer });
  try {
    const folder = ipFolder(config);
    return await runDataCommand(args, { folder, outbound, clock: systemClock, output: console });
  } finally {
    await outbound.close();
  }
}

/** The `crawl` command, in a folder of its own. */
async function crawl(url: string, env: Env): Promise<number> {
  const config = readConfig(env, readOperatorFile);
  const outbound = createOutbound({ allow: config.OUTBOUND_ALLOW, timer: systemTimer });
  try {
    return await runCrawlCommand(url, {
      config,
      version,
      outbound,
      output: console,
      screen: process.stderr,
      log: quietLog,
    });
  } finally {
    await outbound.close();
  }
}
