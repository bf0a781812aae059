import * as z from 'zod';
import { readPageUrl, URL_BYTES } from '../base/page-url.ts';
import { utf8Length } from '../base/utf8.ts';

// Our choices. A title is a line and a body is a long page (War and Peace is 3 MB); labels are words for a chip.
export const TITLE_BYTES = 1_024;
export const BODY_BYTES = 1_048_576;
export const MOST_LABELS = 64;
export const LABEL_BYTES = 256;
export const MOST_PAGES_A_CALL = 1_000;
export const PAGES_BODY_BYTES = 32 * 1_048_576;
export const SNAPSHOT_BYTES = 10 * 1_048_576;

/** A text of at most `mostBytes`. Half a surrogate pair, which no UTF-8 can hold, becomes U+FFFD. */
const textUpTo = (mostBytes: number) =>
  z
    .string()
    .transform((text) => text.toWellFormed())
    .refine((text) => utf8Length(text) <= mostBytes, `expected at most ${mostBytes} bytes of UTF-8`);

/** A URL in its one spelling. */
export const PageUrl = z
  .string()
  .transform((text, check) => {
    try {
      return readPageUrl(text);
    } catch (error) {
      check.addIssue((error as RangeError).message);
      return z.NEVER;
    }
  })
  .meta({ description: `absolute, http(s), at most ${URL_BYTES} bytes; stored without its fragment` });

/** BCP 47 in canonical form. */
const Language = z.string().transform((text, check) => {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? null;
  } catch {
    check.addIssue('expected a BCP 47 language tag such as "de" or "pt-BR"');
    return z.NEVER;
  }
});

const Label = textUpTo(LABEL_BYTES)
  .transform((text) => text.trim())
  .refine((text) => text !== '', 'expected a text that is not empty');

/** A page as it is pushed. */
export const PageInput = z
  .object({
    title: textUpTo(TITLE_BYTES).meta({
      description: `plain text, at most ${TITLE_BYTES} bytes of UTF-8; may be empty where the body is not`,
    }),
    body: z
      .string()
      .transform((text) => text.toWellFormed())
      .refine((text) => utf8Length(text) <= BODY_BYTES, {
        error: `expected at most ${BODY_BYTES} bytes of UTF-8`,
        params: { problem: 'body-too-large' },
      })
      .meta({ description: 'plain text, at most 1 MiB of UTF-8; may be empty where the title is not' }),
    url: PageUrl,
    labels: z
      .array(Label)
      .max(MOST_LABELS)
      .transform((labels) => [...new Set(labels)])
      .optional(),
    thumbnail: PageUrl.nullable().optional().meta({ description: 'absolute http(s) URL of a picture' }),
    language: Language.nullable().optional().meta({ description: 'BCP 47; detected where it is missing' }),
    published: z.iso
      .datetime({ offset: true })
      .refine((text) => Date.parse(text) >= 0, 'expected a time since 1970')
      .nullable()
      .optional()
      .meta({
        description: 'ISO 8601 with a zone; what `sort=date` goes by, else the time of the last write',
      }),
  })
  .refine(
    ({ title, body }) => title.trim() !== '' || body.trim() !== '',
    'expected a title or a body that is not empty',
  )
  .meta({ id: 'PageInput' });
export type PageInput = z.output<typeof PageInput>;

/** The body of `PUT /sites/{siteId}/pages`. */
export const PagesInput = z.union([PageInput, z.array(PageInput)]);

const time = z.string().meta({ description: 'ISO 8601, UTC' });

/** A page as it stands, without its text: an item of a listing. */
export const PageSummary = z
  .object({
    siteId: z.string(),
    id: z.string().meta({ description: 'lowercase hexadecimal SHA-256 of `siteId + url`' }),
    title: z.string(),
    url: z.string(),
    labels: z.array(z.string()),
    thumbnail: z.string().nullable(),
    language: z.string().nullable(),
    published: time.nullable(),
    updated: time,
    source: z.enum(['api', 'crawl', 'feed', 'snapshot']).meta({ description: 'who brought the page' }),
  })
  .meta({ id: 'PageSummary' });
export type PageSummary = z.infer<typeof PageSummary>;

/** A page as it stands. */
export const StoredPage = PageSummary.extend({ body: z.string() }).meta({ id: 'StoredPage' });
export type StoredPage = z.infer<typeof StoredPage>;

/** The answer to an array of pages: one item for each, in their order. */
export const PagesWritten = z
  .object({
    pages: z.array(
      z.object({
        id: z.string(),
        url: z.string(),
        status: z.int().meta({ description: '201 where the page is new, else 200' }),
      }),
    ),
  })
  .meta({ id: 'PagesWritten' });

/** Pages in the order of their ids. */
export const PageList = z
  .object({
    pages: z.array(PageSummary),
    next: z.string().nullable().meta({ description: 'what `after` takes for the rest; null at the end' }),
  })
  .meta({ id: 'PageList' });
