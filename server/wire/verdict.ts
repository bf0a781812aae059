import * as z from 'zod';

/** What the verdict component is asked. No address, no query, no header but this one: enough to judge, no more. */
export type VerdictRequest = {
  method: string;
  /** Normalised, without its query. */
  path: string;
  /** The client's /24 or /48. */
  network: string;
  user_agent: string;
};

/** What it must answer, with status 200. */
export const VerdictAnswer = z.object({ verdict: z.enum(['human', 'suspect', 'bot']) });
