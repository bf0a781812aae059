import type { Metrics } from '../http/metrics.ts';
import type { TellChat } from './gateway.ts';

/** Counts what became of requests to models. Names are of the operator's table, since others are refused before. */
export function countChat(metrics: Metrics): TellChat {
  return function count({ model, form, outcome, usage }) {
    metrics.count('gatehouse_chat_requests_total', { model, form, outcome });
    for (const direction of ['input', 'output'] as const) {
      const tokens = usage[direction] ?? 0;
      // Providers say -1 where they do not know, and nobody vouches for the rest of what they say.
      if (Number.isSafeInteger(tokens) && tokens > 0)
        metrics.count('gatehouse_chat_tokens_total', { model, direction }, tokens);
    }
  };
}
