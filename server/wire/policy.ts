import * as z from 'zod';
import { createAddressSet } from '../base/address-set.ts';

const bits = z.int().min(1).max(32);
const challengeTtl = z.int().min(1).max(3_600);
const passportTtl = z.int().min(0).max(86_400);

const network = z.string().superRefine((text, issue) => {
  try {
    createAddressSet([text]);
  } catch (error) {
    issue.addIssue({ code: 'custom', message: (error as Error).message });
  }
});

// Twelve bits are four thousand times the work; our choice.
const extraBits = z.int().min(0).max(12);

/** The policy file. Strict: a misspelt member would otherwise open a route in silence. */
export const PolicyFile = z.strictObject({
  dry_run: z.boolean().default(false),
  ip_score: z.boolean().default(false),
  defaults: z
    .strictObject({
      difficulty_bits: bits.default(20),
      challenge_ttl_secs: challengeTtl.default(60),
      passport_ttl_secs: z.int().min(1).max(86_400).default(1_800),
    })
    .prefault({}),
  load: z
    .strictObject({
      solves_per_sec: z.number().min(0.01).max(1_000_000).default(50),
      in_flight: z.number().min(0.01).max(1_000_000).default(100),
      max_extra_bits: z.int().min(0).max(4).default(4),
      rise_secs: z.number().min(1).max(3_600).default(10),
      fall_secs: z.number().min(1).max(86_400).default(60),
    })
    .prefault({}),
  routes: z.array(
    z.strictObject({
      id: z
        .string()
        .regex(
          /^[a-z0-9][a-z0-9._-]{0,63}$/,
          'expected 1 to 64 of a-z 0-9 . _ -, the first a letter or digit',
        ),
      paths: z.array(z.string()).min(1),
      methods: z
        .array(z.string().regex(/^[A-Z]+$/, 'expected a method in capitals'))
        .min(1)
        .optional(),
      difficulty_bits: bits.optional(),
      challenge_ttl_secs: challengeTtl.optional(),
      passport_ttl_secs: passportTtl.optional(),
      dry_run: z.boolean().optional(),
      work: z
        .strictObject({
          models: z.record(z.string(), extraBits).default({}),
          output_tokens: z
            .array(z.strictObject({ above: z.int().min(0), bits: extraBits }))
            .default([])
            .refine(
              (steps) =>
                steps.every(
                  (step, i) => i === 0 || (step.above > steps[i - 1].above && step.bits >= steps[i - 1].bits),
                ),
              'expected steps that rise: each `above` higher than the one before, no `bits` lower',
            ),
        })
        .optional(),
      exempt: z
        .strictObject({
          paths: z.array(z.string()).default([]),
          keys: z
            .array(z.string().regex(/^[0-9a-f]{12}$/, 'expected the id of an API key: 12 hexadecimal digits'))
            .default([]),
          networks: z.array(network).default([]),
          user_agents: z
            .array(z.string().min(3, 'expected 3 characters or more: a short piece would let everyone in'))
            .default([]),
          verified_bots: z.array(z.string()).default([]),
        })
        .prefault({}),
    }),
  ),
});
export type PolicyFile = z.input<typeof PolicyFile>;
