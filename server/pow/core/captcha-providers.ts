import type { ProviderName } from '../../wire/captcha.ts';

/** What an error code of a provider means for us. */
export type CodeMeaning =
  /** The token is not one. */
  | 'refused'
  /** It was good once: expired, or already used. */
  | 'stale'
  /** The operator's secret or site key is wrong. */
  | 'misconfigured'
  /** The provider could not say. */
  | 'unavailable';

/** Everything that sets one CAPTCHA service apart from the others. */
export type Provider = {
  title: string;
  /** The widget's script; it renders itself into the element of `widgetClass`. */
  script: { url: string; isModule: boolean; languageParameter: string | null };
  widgetClass: string;
  /** The form field that the widget fills with the token. */
  responseField: string;
  /** Sources for the Content-Security-Policy of the page that shows the widget. */
  sources: {
    script: readonly string[];
    frame: readonly string[];
    connect: readonly string[];
    style: readonly string[];
  };
  verifyUrl: string;
  /**
   * `form`: secret, response and what else as a form, answered with `error-codes`. `friendly`: JSON, the secret in
   * `X-API-Key`, answered with `error.error_code`.
   */
  protocol: 'form' | 'friendly';
  /** Whether siteverify takes the site key, to refuse tokens of another of the account's sites. */
  takesSiteKey: boolean;
  codes: Readonly<Record<string, CodeMeaning>>;
};

// The codes of reCAPTCHA, which the others took over.
const SHARED_CODES = {
  'missing-input-secret': 'misconfigured',
  'invalid-input-secret': 'misconfigured',
  'missing-input-response': 'refused',
  'invalid-input-response': 'refused',
  'timeout-or-duplicate': 'stale',
  'bad-request': 'unavailable',
} as const;

export const PROVIDERS: Readonly<Record<ProviderName, Provider>> = {
  // https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ and …/reference/content-security-policy/
  turnstile: {
    title: 'Cloudflare Turnstile',
    script: {
      url: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
      isModule: false,
      languageParameter: null,
    },
    widgetClass: 'cf-turnstile',
    responseField: 'cf-turnstile-response',
    sources: {
      script: ['https://challenges.cloudflare.com'],
      frame: ['https://challenges.cloudflare.com'],
      connect: [],
      style: [],
    },
    verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    protocol: 'form',
    takesSiteKey: false,
    codes: { ...SHARED_CODES, 'internal-error': 'unavailable' },
  },
  // https://docs.hcaptcha.com/#verify-the-user-response-server-side and …/#content-security-policy-settings
  hcaptcha: {
    title: 'hCaptcha',
    script: { url: 'https://js.hcaptcha.com/1/api.js', isModule: false, languageParameter: 'hl' },
    widgetClass: 'h-captcha',
    responseField: 'h-captcha-response',
    sources: {
      script: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
      frame: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
      connect: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
      style: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
    },
    verifyUrl: 'https://api.hcaptcha.com/siteverify',
    protocol: 'form',
    takesSiteKey: true,
    codes: {
      ...SHARED_CODES,
      'expired-input-response': 'stale',
      'already-seen-response': 'stale',
      'invalid-or-already-seen-response': 'stale',
      'sitekey-secret-mismatch': 'misconfigured',
      'invalid-sitekey': 'misconfigured',
      'not-using-dummy-passcode': 'misconfigured',
      'not-using-dummy-secret': 'misconfigured',
    },
  },
  // https://developers.google.com/recaptcha/docs/verify and …/docs/faq (version 2, the checkbox)
  recaptcha: {
    title: 'reCAPTCHA',
    script: { url: 'https://www.google.com/recaptcha/api.js', isModule: false, languageParameter: 'hl' },
    widgetClass: 'g-recaptcha',
    responseField: 'g-recaptcha-response',
    sources: {
      script: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
      frame: ['https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/'],
      connect: ['https://www.google.com/recaptcha/'],
      style: [],
    },
    verifyUrl: 'https://www.google.com/recaptcha/api/siteverify',
    protocol: 'form',
    takesSiteKey: false,
    codes: { ...SHARED_CODES, 'invalid-keys': 'misconfigured' },
  },
  // https://developer.friendlycaptcha.com/docs/v2/api/siteverify and …/docs/v2/getting-started/install
  'friendly-captcha': {
    title: 'Friendly Captcha',
    script: {
      url: 'https://cdn.jsdelivr.net/npm/@friendlycaptcha/sdk@1.0.2/site.min.js',
      isModule: true,
      languageParameter: null,
    },
    widgetClass: 'frc-captcha',
    responseField: 'frc-captcha-response',
    sources: {
      script: ['https://cdn.jsdelivr.net/npm/@friendlycaptcha/'],
      frame: ['https://*.frcapi.com'],
      connect: ['https://*.frcapi.com'],
      style: [],
    },
    verifyUrl: 'https://global.frcapi.com/api/v2/captcha/siteverify',
    protocol: 'friendly',
    takesSiteKey: true,
    codes: {
      auth_required: 'misconfigured',
      auth_invalid: 'misconfigured',
      sitekey_invalid: 'misconfigured',
      response_missing: 'refused',
      response_invalid: 'refused',
      response_timeout: 'stale',
      response_duplicate: 'stale',
      bad_request: 'unavailable',
    },
  },
};

/** A checked CAPTCHA configuration: the file with the provider's defaults. */
export type CaptchaSettings = {
  name: ProviderName;
  provider: Provider;
  siteKey: string;
  secret: string;
  verifyUrl: string;
  scriptUrl: string;
  /** The host that the token must have been made on; null where the provider's own list of domains is trusted. */
  hostname: string | null;
  /** Origins that the page admits besides the provider's: that of a script of the operator's own choice. */
  ownOrigins: readonly string[];
  /** More `data-` attributes of the widget. */
  attributes: Readonly<Record<string, string>>;
};
