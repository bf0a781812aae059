import * as z from 'zod';
import { utf8Length } from '../base/utf8.ts';

/** Bytes of UTF-8 of a query; our choice. */
export const QUERY_BYTES = 1_024;
export const DEFAULT_RESULTS = 10;
export const MOST_RESULTS = 1_000;
export const MOST_COMPLETIONS = 8;
/** The cookie whose site id wins over that of the path. */
export const OVERRIDE_COOKIE = 'override-site';

const queryText = z
  .string()
  .transform((text) => text.toWellFormed())
  .refine((text) => utf8Length(text) <= QUERY_BYTES, `expected at most ${QUERY_BYTES} bytes of UTF-8`);

/** The query of `GET …/search`. */
export const SearchQuery = z.object({
  query: queryText.meta({ description: 'words, `"a phrase"`, `-excluded`' }),
  page: z
    .string()
    .regex(/^[1-9][0-9]{0,6}$/, 'expected a whole number 1..9999999')
    .transform(Number)
    .optional()
    .meta({ description: 'from 1' }),
  limit: z
    .string()
    .regex(/^([1-9][0-9]{0,2}|1000)$/, `expected a whole number 1..${MOST_RESULTS}`)
    .transform(Number)
    .optional()
    .meta({ description: `results, 1 to ${MOST_RESULTS}; ${DEFAULT_RESULTS} by default` }),
  label: z
    .union([z.string(), z.array(z.string()).max(64, 'expected at most 64')])
    .transform((labels) => (typeof labels === 'string' ? [labels] : labels))
    .optional()
    .meta({ description: 'repeatable; all must hold' }),
  sort: z.enum(['relevance', 'date']).optional(),
});

export const AutocompleteQuery = z.object({ query: queryText });

const html = (what: string) =>
  z.string().meta({ description: `${what}; safe HTML whose only tags are <span class="pf-highlight">` });

/** The answer of `GET …/search`. */
export const SearchBody = z
  .object({
    query: z.string(),
    total: z.int(),
    results: z.array(
      z.object({
        id: z.string(),
        title: html('the title'),
        body: html('the best part of the text'),
        url: html('the URL'),
        urlRaw: z.string().meta({ description: 'the URL as plain text' }),
        labels: z.array(z.string()),
        thumbnail: z.string().nullable(),
        score: z.number(),
      }),
    ),
    labels: z
      .array(z.object({ label: z.string(), count: z.int() }))
      .meta({ description: 'of all results, the most frequent first' }),
    suggestion: z.string().nullable().meta({ description: 'the query as it was likely meant; plain text' }),
    took_ms: z.int(),
  })
  .meta({ id: 'SearchAnswer' });
export type SearchBody = z.infer<typeof SearchBody>;

export const AutocompleteBody = z
  .object({ results: z.array(z.string()).max(MOST_COMPLETIONS) })
  .meta({ id: 'Completions' });
