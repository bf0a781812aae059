import type { Outbound } from '../base/outbound.ts';
import type { Clock, Log, Random, Timer } from '../base/ports.ts';
import { readChatConfig } from './config-file.ts';
import { createEcho } from './echo.ts';
import { createGateway, type Gateway, type TellChat } from './gateway.ts';

// Our choice: about as fast as people read aloud, so that a stream is seen to stream.
const ECHO_PAUSE_MS = 40;

export type OpenChatDeps = {
  /** Of the `CHAT_CONFIG` file; null where there is none. */
  path: string | null;
  readText(path: string): string;
  /** A variable of the environment, for the providers' keys. */
  lookUp(name: string): string | undefined;
  outbound: Outbound;
  clock: Clock;
  random: Random;
  timer: Timer;
  log: Log;
  tell: TellChat;
};

/** The gateway by its configuration. @throws ChatConfigError with every fault at once */
export function openChat({ path, readText, lookUp, timer, ...deps }: OpenChatDeps): Gateway {
  return createGateway({
    ...deps,
    models: path === null ? null : readChatConfig(readText(path), lookUp),
    echo: createEcho((signal) => pause(timer, signal)),
  });
}

function pause(timer: Timer, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timer.after(ECHO_PAUSE_MS, resolve);
    const end = () => {
      cancel();
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}
