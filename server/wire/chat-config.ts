import * as z from 'zod';

export const PROVIDERS = ['openai', 'anthropic', 'google', 'openai-compatible'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

const baseUrl = z.string().superRefine((text, issue) => {
  const url = URL.parse(text);
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== ''
  ) {
    issue.addIssue({
      code: 'custom',
      message: 'expected an http(s) URL without credentials and query, such as https://api.example.com/v1',
    });
  }
});

/** The file of `CHAT_CONFIG`. Strict: a misspelt member would otherwise be ignored in silence. */
export const ChatConfigFile = z.strictObject({
  models: z.record(
    z.string(),
    z.strictObject({
      provider: z.enum(PROVIDERS, `expected one of ${PROVIDERS.join(', ')}`),
      baseURL: baseUrl.optional(),
      apiKeyEnv: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable')
        .optional(),
      model: z.string().min(1, 'expected the name of the model at the provider').optional(),
      thinkTag: z
        .string()
        .regex(/^[a-z]{1,32}$/, 'expected the name of a tag such as think')
        .optional(),
    }),
  ),
});
