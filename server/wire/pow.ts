import * as z from 'zod';
import { CHALLENGE_CHARS, PASSPORT_CHARS } from '../../assembly/layout.ts';

const wholeNumber = z
  .string()
  .regex(/^(0|-?[1-9][0-9]{0,9})$/, 'expected a whole number')
  .transform(Number);

/** The query of `GET /pow/challenge`. */
export const ChallengeQuery = z.object({
  route: z.string().min(1).optional().meta({ description: 'id of a gated route, whose policy then applies' }),
  difficulty: wholeNumber.optional().meta({ description: 'bits; counts with a Pro or Enterprise key only' }),
  ttl: wholeNumber
    .optional()
    .meta({ description: 'seconds to solve; counts with a Pro or Enterprise key only' }),
  passport_ttl: wholeNumber.optional().meta({ description: 'seconds of the passport; likewise' }),
});

/** The answer of `GET /pow/challenge`, and the `challenge` member of a refusal that asks for a proof. */
export const ChallengeBody = z
  .object({
    challenge: z.string().length(CHALLENGE_CHARS).meta({ description: 'sealed; base64url without padding' }),
    difficulty_bits: z
      .int()
      .min(0)
      .max(255)
      .meta({ description: 'leading zero bits that the hash must have' }),
    expires_in_secs: z.int().min(0),
    tier: z.enum(['public', 'pro', 'enterprise']),
    expected_tries: z.int().meta({ description: '2^difficulty_bits' }),
    warning: z
      .string()
      .optional()
      .meta({ description: 'there where a slow device would likely miss the time limit' }),
    rebind: z
      .literal(true)
      .optional()
      .meta({
        description:
          'there where the challenge is cheaper and binds the passport that was shown to the network that asked; ' +
          'good at POST /pow/passport alone',
      }),
  })
  .meta({ id: 'Challenge' });
export type ChallengeBody = z.infer<typeof ChallengeBody>;

/** Which code found an answer: four lanes of Wasm, scalar Wasm, or JavaScript. */
export const SOLVERS = ['simd', 'scalar', 'javascript'] as const;
export type Solver = (typeof SOLVERS)[number];

/** The body of `POST /pow/passport`. What the texts must hold is checked in the order of the seal. */
export const PassportRequest = z.object({
  challenge: z.string().meta({ description: 'as it came' }),
  answer: z.string().meta({ description: 'u64 in canonical decimal: `0` or no leading zero' }),
  // Told by the client of itself: it is counted and decides nothing, so that a wrong one is none.
  solver: z.enum(SOLVERS).optional().catch(undefined).meta({
    description: 'which code found it, for the figures of the operator; nothing depends on it',
  }),
});

/** The answer of `POST /pow/passport`. */
export const PassportBody = z
  .object({
    passport: z.string().length(PASSPORT_CHARS).meta({ description: 'sealed; base64url without padding' }),
    ttl_secs: z.int().meta({ description: 'seconds that it has left' }),
  })
  .meta({ id: 'Passport' });
export type PassportBody = z.infer<typeof PassportBody>;

/** The cookie that carries a passport. */
export const PASSPORT_COOKIE = 'pow_passport';

/** What the verifying page is told of the request that was held back, in its `data-gate` attribute. */
export type GatePageData = {
  /** Policy id of the gated route; empty where any passport would do. */
  route: string;
  /** A passport opens the route, or each request needs a proof of its own. */
  mode: 'passport' | 'request';
  /** The method of the held request, upper case. */
  method: string;
  difficulty_bits: number;
  challenge: ChallengeBody;
  request_id: string;
  /** Path of the CAPTCHA page that opens the route as well; null where there is none. */
  captcha: string | null;
};

/** What the gated demo page is told, in its `data-admission` attribute. Times are Unix seconds of the server's clock. */
export type AdmissionPageData = {
  /** `open`: the policy of this server does not gate the page. */
  how: 'passport' | 'request' | 'open';
  difficulty_bits: number | null;
  tier: string | null;
  issued_at: number | null;
  expires_at: number | null;
  /** The client's /24 or /48, as the server sees it. */
  network: string;
  /** When the page was written, so that a wrong clock on the device does no harm. */
  now: number;
};
