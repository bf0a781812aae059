import { ChatConfigFile, PROVIDERS, type ProviderName } from '../wire/chat-config.ts';

/** One row of the table: where a model's requests go. `apiKey` never leaves for anywhere else. */
export type ModelRow = {
  /** What clients call it. */
  name: string;
  provider: ProviderName;
  /** Without a slash at the end. */
  baseUrl: string;
  apiKey: string | null;
  /** What the provider calls it. */
  model: string;
  /** The tag in which the model writes its thoughts into its text; null where it does not. */
  thinkTag: string | null;
};

export type ModelTable = ReadonlyMap<string, ModelRow>;

const BASE_URLS: Record<ProviderName, string | null> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  'openai-compatible': null,
};

/** Every fault of the file, one line each. Values of secrets are not in it. */
export class ChatConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`CHAT_CONFIG has ${faults.length} fault(s):\n${faults.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ChatConfigError';
    this.faults = faults;
  }
}

/**
 * The table that the text of a `CHAT_CONFIG` file describes.
 * @param lookUp the value of an environment variable, as the server sees it
 * @throws ChatConfigError with every fault at once
 */
export function readChatConfig(text: string, lookUp: (name: string) => string | undefined): ModelTable {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ChatConfigError([`file: expected JSON: ${(error as Error).message}`]);
  }
  const parsed = ChatConfigFile.safeParse(json);
  const faults = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`),
    ...rowFaults(json, lookUp),
  ];
  if (!parsed.success || faults.length > 0) throw new ChatConfigError(faults);

  const rows = Object.entries(parsed.data.models).map(([name, row]): [string, ModelRow] => [
    name,
    {
      name,
      provider: row.provider,
      baseUrl: (row.baseURL ?? (BASE_URLS[row.provider] as string)).replace(/\/+$/, ''),
      apiKey: row.apiKeyEnv === undefined ? null : (lookUp(row.apiKeyEnv) as string),
      model: row.model ?? name,
      thinkTag: row.thinkTag ?? null,
    },
  ]);
  return new Map(rows);
}

// One fault must not hide another, so what the schema does not know is looked at in the raw JSON.
function rowFaults(json: unknown, lookUp: (name: string) => string | undefined): string[] {
  const models = (json as { models?: unknown } | null)?.models;
  if (models === null || typeof models !== 'object' || Array.isArray(models)) return [];
  if (Object.keys(models).length === 0) return ['models: expected at least one model'];
  return Object.entries(models).flatMap(([name, row]: [string, Record<string, unknown> | null]) => {
    const place = `models.${name}`;
    const faults: string[] = [];
    // It stands in URLs, JSON and metrics.
    if (!/^[\x21-\x7e]{1,128}$/.test(name)) {
      faults.push(`${place}: expected a name of 1 to 128 visible ASCII characters without spaces`);
    }
    if (row === null || typeof row !== 'object') return faults;
    const { provider, baseURL, apiKeyEnv } = row;
    const isCompatible = provider === 'openai-compatible';
    if (isCompatible && baseURL === undefined) {
      faults.push(`${place}.baseURL: expected one, since openai-compatible has no address of its own`);
    }
    if (typeof apiKeyEnv === 'string') {
      const key = lookUp(apiKeyEnv);
      // Whoever wrote the key itself here should not find it in a log.
      const shown = /^[A-Z_][A-Z0-9_]*$/.test(apiKeyEnv) ? apiKeyEnv : 'the variable that it names';
      if (!key) faults.push(`${place}.apiKeyEnv: expected ${shown} to be set in the environment`);
      // What may stand in a header (RFC 9110 §5.5). The key itself is not told.
      else if (!/^[\x21-\x7e]+$/.test(key)) {
        faults.push(`${place}.apiKeyEnv: expected ${shown} to hold visible ASCII characters alone`);
      }
    } else if (apiKeyEnv === undefined && !isCompatible && PROVIDERS.some((known) => known === provider)) {
      faults.push(`${place}.apiKeyEnv: expected the name of the variable that holds the provider's key`);
    }
    return faults;
  });
}
