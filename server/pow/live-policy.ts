import type { Digest, Log, Timer } from '../base/ports.ts';
import type { Policy } from './core/policy.ts';
import { BUILT_IN_POLICY, PolicyError, readPolicy } from './policy-file.ts';

// Our choice: a change is in force after two looks, so within some two seconds; a look costs the reading of a small file.
const LOOK_EVERY_MS = 1_000;

export type LivePolicyDeps = {
  /** Null for the built-in policy, which never changes. */
  path: string | null;
  readText(path: string): Promise<string>;
  digest: Digest;
  timer: Timer;
  log: Log;
};

/** The policy in force. A file that cannot be read or is at fault never takes the place of a good one. */
export type LivePolicy = {
  current(): Policy;
  /** Takes the file as it is now. @throws PolicyError, or what the file system says; the old policy then stays */
  reload(): Promise<void>;
  /** Takes the file where it has changed and is the same as at the look before. Never throws. */
  look(): Promise<void>;
  /** Looks from time to time, until the function that it gives is called. */
  watch(): () => void;
};

/**
 * Reads the policy and keeps it fresh.
 *
 * The content is compared, not events or times: editors that replace the file, Kubernetes that turns a symlink above it
 * and network folders without events all look the same from here. Only what is the same twice is taken, since a file may
 * be caught half written.
 *
 * @throws PolicyError, or what the file system says
 */
export async function openLivePolicy({
  path,
  readText,
  digest,
  timer,
  log,
}: LivePolicyDeps): Promise<LivePolicy> {
  // What was last taken or refused, and what the last look saw.
  let settled: string | null = null;
  let seen: string | null = null;
  let policy: Policy;

  function take(text: string): void {
    settled = text;
    policy = readPolicy(parse(path ?? '', text), digest);
    tellDryRun();
  }

  // Easily forgotten, and then nothing is gated.
  function tellDryRun(): void {
    const routes = policy.routes.filter(({ isDryRun }) => isDryRun).map(({ id }) => id);
    if (routes.length > 0) log.warn({ routes }, 'dry run: these routes let everyone in');
  }

  async function reload(): Promise<void> {
    if (path !== null) take(await readText(path));
  }

  async function look(): Promise<void> {
    if (path === null) return;
    let text: string;
    let failure: unknown = null;
    try {
      text = await readText(path);
    } catch (err) {
      failure = err;
      text = `unreadable: ${(err as Error).message}`;
    }
    const isSteady = text === seen;
    seen = text;
    if (!isSteady || text === settled) return;
    settled = text;
    if (failure) return log.error({ err: failure }, 'policy file unreadable; the old policy stays');
    try {
      take(text);
      log.info({ routes: policy.routes.length }, 'policy reloaded');
    } catch (err) {
      const told = err instanceof PolicyError ? { faults: err.faults } : { err };
      log.error(told, 'policy refused; the old one stays');
    }
  }

  function watch(): () => void {
    let isOver = false;
    let cancel = () => {};
    // The next look is due after the last has ended: a folder that hangs is not asked twice.
    const wait = () => {
      if (!isOver) cancel = timer.after(LOOK_EVERY_MS, () => void look().then(wait));
    };
    wait();
    return () => {
      isOver = true;
      cancel();
    };
  }

  if (path === null) policy = readPolicy(BUILT_IN_POLICY, digest);
  else await reload();
  return { current: () => policy, reload, look, watch };
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PolicyError([`${path}: ${(error as Error).message}`]);
  }
}
