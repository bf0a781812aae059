import type { Answer, Call, Step } from './core/neutral.ts';

/** The port of a model behind the gateway. Both reject with a Fault where the provider fails. */
export type ChatModel = {
  generate(call: Call, signal: AbortSignal): Promise<Answer>;
  stream(call: Call, signal: AbortSignal): Promise<AsyncIterable<Step>>;
};
