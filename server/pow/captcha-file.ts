import { CaptchaFile } from '../wire/captcha.ts';
import { type CaptchaSettings, PROVIDERS } from './core/captcha-providers.ts';

/** Every fault of a CAPTCHA configuration, one line each. Values are not in it, since one of them is a secret. */
export class CaptchaConfigError extends Error {
  readonly faults: readonly string[];

  constructor(path: string, faults: readonly string[]) {
    super(
      `CAPTCHA_CONFIG ${path} has ${faults.length} fault(s):\n${faults.map((line) => `  ${line}`).join('\n')}`,
    );
    this.name = 'CaptchaConfigError';
    this.faults = faults;
  }
}

/**
 * The CAPTCHA settings in `text`, the content of the file at `path`.
 * @throws CaptchaConfigError with every fault at once
 */
export function readCaptchaConfig(path: string, text: string): CaptchaSettings {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The parser's own message quotes what it met, and that may be the secret.
    throw new CaptchaConfigError(path, ['file: expected JSON']);
  }
  const { data, error } = CaptchaFile.safeParse(json);
  if (!data) {
    const faults = error.issues.map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`);
    throw new CaptchaConfigError(path, faults);
  }
  const provider = PROVIDERS[data.provider];
  return {
    name: data.provider,
    provider,
    siteKey: data.siteKey,
    secret: data.secret,
    verifyUrl: data.verifyUrl ?? provider.verifyUrl,
    scriptUrl: data.scriptUrl ?? provider.script.url,
    hostname: data.hostname ?? null,
    ownOrigins: data.scriptUrl === undefined ? [] : [new URL(data.scriptUrl).origin],
    // The widget must speak to the endpoint that is asked afterwards.
    attributes: data.verifyUrl?.startsWith('https://eu.frcapi.com/') ? { 'api-endpoint': 'eu' } : {},
  };
}
