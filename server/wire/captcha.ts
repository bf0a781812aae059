import * as z from 'zod';
import { PassportBody } from './pow.ts';

/** The CAPTCHA services that the gate knows. */
export const PROVIDER_NAMES = ['turnstile', 'hcaptcha', 'recaptcha', 'friendly-captcha'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

// Keys of every provider are such texts. Anything else is a slip of copying, and the site key stands in the page.
const key = z
  .string()
  .regex(/^[\w.:+/=-]{1,512}$/, 'expected 1 to 512 letters, digits or any of . _ : + / = -');

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'expected an http(s) URL' })
  .refine((text) => !/^https?:[\\/]*[^\\/?#]*@/i.test(text), 'expected a URL without credentials');

/** The file that `CAPTCHA_CONFIG` names. Strict: a misspelt member would otherwise be a check that is not made. */
export const CaptchaFile = z.strictObject({
  provider: z.enum(PROVIDER_NAMES),
  siteKey: key,
  secret: key,
  verifyUrl: httpUrl.optional(),
  scriptUrl: httpUrl.optional(),
  hostname: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, 'expected a host name in small letters')
    .optional(),
});
export type CaptchaFile = z.infer<typeof CaptchaFile>;

// An empty field of a form is one that was left out.
const optionalText = (most: number) =>
  z
    .string()
    .max(most)
    .transform((text) => (text === '' ? undefined : text))
    .optional();
const route = optionalText(64).meta({
  description: 'id of the gated route whose work the passport stands for; left out: the default work',
});
const returnTo = optionalText(4_096).meta({
  description: 'where a browser goes on: a path of this origin, with or without query and fragment',
});

/** The query of `GET /pow/captcha`. */
export const CaptchaQuery = z.object({ route, return_to: returnTo });

// Turnstile's reach 2,048 characters, the others' less than twice that; our choice.
const token = optionalText(8_192);

/** The body of `POST /pow/captcha`, as JSON or as a form. */
export const CaptchaExchange = z.object({
  response: token.meta({
    description: "the provider's token; or in the field that the provider's widget fills",
  }),
  'cf-turnstile-response': token,
  'h-captcha-response': token,
  'g-recaptcha-response': token,
  'frc-captcha-response': token,
  route,
  return_to: returnTo,
});
export type CaptchaExchange = z.infer<typeof CaptchaExchange>;

/** The answer of `POST /pow/captcha` to JSON. */
export const CaptchaPassport = z.object({
  ...PassportBody.shape,
  return_to: z.string().nullable().meta({ description: 'as it was sent, in its normal form' }),
});

/** What Turnstile, hCaptcha and reCAPTCHA answer to `siteverify`, as far as it counts. */
export const ClassicAnswer = z.object({
  success: z.boolean(),
  hostname: z.string().optional(),
  'error-codes': z.array(z.string()).optional(),
});

/** What Friendly Captcha v2 answers to `siteverify`, as far as it counts. */
export const FriendlyAnswer = z.object({
  success: z.boolean(),
  data: z.object({ challenge: z.object({ origin: z.string().optional() }).optional() }).nullish(),
  error: z.object({ error_code: z.string() }).nullish(),
});

/** What the CAPTCHA page is told, in its `data-captcha` attribute. */
export type CaptchaPageData = {
  /** The provider's name, for people. */
  provider: string;
  site_key: string;
  script_url: string;
  script_is_module: boolean;
  /** The class by which the provider's script finds its place. */
  widget_class: string;
  /** The form field that holds the token. */
  response_field: string;
  /** The query parameter of the script that says the language; null where the widget finds it itself. */
  language_parameter: string | null;
  /** More `data-` attributes of the widget's place. */
  attributes: Record<string, string>;
  /** A path of this origin; null where the visitor came from nowhere that can be opened again. */
  return_to: string | null;
  route: string | null;
};
