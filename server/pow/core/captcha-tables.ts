import { PROBLEMS, type ProblemCode } from '../../wire/problem.ts';
import { type CodeMeaning, PROVIDERS } from './captcha-providers.ts';

const OUTCOMES: Record<CodeMeaning, { code: ProblemCode; what: string }> = {
  refused: { code: 'captcha-refused', what: 'the token is no token' },
  stale: { code: 'captcha-stale', what: 'the token has expired or was used' },
  misconfigured: { code: 'captcha-unavailable', what: 'secret or site key is wrong; the log has an error' },
  unavailable: { code: 'captcha-unavailable', what: 'the provider cannot say; the log has an error' },
};

/** The table of docs/captcha.md: what each code of a provider comes to. */
export function captchaCodeTable(): string {
  const rows = Object.entries(OUTCOMES).map(([meaning, { code, what }]) => {
    const codes = Object.values(PROVIDERS).flatMap((provider) =>
      Object.keys(provider.codes).filter((name) => provider.codes[name] === meaning),
    );
    const names = [...new Set(codes)].map((name) => `\`${name}\``).join(', ');
    return `| ${what} | ${names} | ${PROBLEMS[code].status} \`${code}\` |`;
  });
  return ['| what happened | codes of the providers | answer |', '|---|---|---|', ...rows].join('\n');
}

/** The table of docs/captcha.md: who is asked what. */
export function captchaProviderTable(): string {
  const rows = Object.entries(PROVIDERS).map(([name, provider]) => {
    const sent = ['token', provider.protocol === 'friendly' ? 'secret (`X-API-Key`)' : 'secret'];
    if (provider.takesSiteKey) sent.push('site key');
    return `| \`${name}\` | ${provider.title} | \`${provider.script.url}\` | \`${provider.verifyUrl}\` | ${sent.join(', ')} | \`${provider.responseField}\` |`;
  });
  return [
    '| `provider` | name | the browser loads | this server asks | and sends it | field of the token |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
