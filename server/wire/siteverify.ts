import * as z from 'zod';

const field = z.string().max(8_192);

/** The request of `POST /pow/siteverify`, as a form or as JSON, in the convention of the CAPTCHA services. */
export const SiteverifyRequest = z.object({
  secret: field.optional().meta({ description: 'the API key; or `X-API-Key`' }),
  response: field.optional().meta({ description: 'a passport, or `challenge:answer`, which counts once' }),
  remoteip: field
    .optional()
    .meta({ description: "the visitor's address, to hold the passport's network against" }),
  route: field.optional().meta({ description: 'id of a gated route whose bits and lifetime must be met' }),
  idempotency_key: field.min(1).max(256).optional().meta({
    description: 'the same call with the same key within 10 minutes gets the same answer',
  }),
});

/** Every error code: those of the convention, and ours. */
export const SITEVERIFY_CODES = {
  'missing-input-secret': { status: 400, meaning: 'no secret and no X-API-Key' },
  'invalid-input-secret': { status: 401, meaning: 'the secret is no API key, unknown or revoked' },
  'quota-exceeded': { status: 429, meaning: "the key's verifications of this month are used up" },
  'bad-request': {
    status: 400,
    meaning: 'a member is malformed, or the route is unknown or not for this key',
  },
  'missing-input-response': { status: 200, meaning: 'the visitor sent nothing' },
  'invalid-input-response': {
    status: 200,
    meaning: 'forged, too weak for the route, or not what the route takes',
  },
  'timeout-or-duplicate': { status: 200, meaning: 'expired, or already used' },
  'network-mismatch': { status: 200, meaning: 'the passport belongs to another network than `remoteip`' },
} as const;
export type SiteverifyCode = keyof typeof SITEVERIFY_CODES;

/** The answer of `POST /pow/siteverify`. Times are ISO 8601 in UTC. */
export const SiteverifyBody = z
  .object({
    success: z.boolean(),
    challenge_ts: z.string().optional().meta({ description: 'when the work was set or the passport made' }),
    difficulty_bits: z.int().optional(),
    tier: z.string().optional(),
    expires_at: z.string().optional(),
    'error-codes': z.array(z.string()),
  })
  .meta({ id: 'Siteverify' });
export type SiteverifyBody = z.infer<typeof SiteverifyBody>;

/** The table of docs/siteverify.md: code, status, meaning. */
export function siteverifyTable(): string {
  const rows = Object.entries(SITEVERIFY_CODES).map(
    ([code, { status, meaning }]) => `| \`${code}\` | ${status} | ${meaning} |`,
  );
  return ['| code | status | meaning |', '|---|---|---|', ...rows].join('\n');
}
