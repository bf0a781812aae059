import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Contender, type Row, runRounds, type Sample } from './rounds.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { expectRight } from './wrong-answer.ts';

const GATEHOUSE = fileURLToPath(new URL('../server/gatehouse.mjs', import.meta.url));
const UPSTREAM = fileURLToPath(new URL('chat-upstream.ts', import.meta.url));

// Long enough that the beginning does not count, short enough for several in a sample.
const LONG = 5_000;
const SHORT = 1;

type Form = 'Chat Completions' | 'Messages';
const CLIENT_PATHS: Record<Form, string> = {
  'Chat Completions': '/chat/completions',
  Messages: '/messages',
};

/**
 * The gateway beside the provider itself, over loopback: tokens a second of a stream that comes as fast as it can, and
 * first tokens a second, asked one after the other. The gate is open: what it costs is in gate-http.
 */
export async function measureChat({
  rounds,
  sampleMs,
}: {
  rounds: number;
  sampleMs: number;
}): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const write = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  const started: ServerProcess[] = [];
  const start = async (script: string, args: string[], env: Record<string, string>) => {
    const server = await startServer(script, args, env);
    started.push(server);
    return `http://127.0.0.1:${server.port}`;
  };
  try {
    const upstream = await start(UPSTREAM, [], {});
    const models = {
      'Chat Completions': { provider: 'openai', baseURL: upstream, apiKeyEnv: 'KEY' },
      Messages: { provider: 'anthropic', baseURL: upstream, apiKeyEnv: 'KEY', model: 'claude-sonnet-4-5' },
    };
    const gatehouse = await start(GATEHOUSE, ['serve'], {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'silent',
      GATE_POLICY: write('policy.json', { routes: [] }),
      CHAT_CONFIG: write('chat.json', {
        models: { completions: models['Chat Completions'], messages: models.Messages },
      }),
      KEY: 'sk-none',
      OUTBOUND_ALLOW: '127.0.0.1',
    });
    const contenders = (['Chat Completions', 'Messages'] as const).flatMap((form) =>
      [LONG, SHORT].flatMap((tokens) => contendersOf(form, tokens, upstream, `${gatehouse}/v1`, sampleMs)),
    );
    return await runRounds(contenders, rounds);
  } finally {
    await Promise.all(started.map((server) => server.stop()));
    rmSync(folder, { recursive: true });
  }
}

function contendersOf(
  form: Form,
  tokens: number,
  bare: string,
  gateway: string,
  sampleMs: number,
): Contender[] {
  const what = tokens === LONG ? `tokens, ${form}` : `first tokens, ${form}`;
  const path = CLIENT_PATHS[form];
  const baseline = `${what}: the provider itself`;
  const [own, other] = form === 'Messages' ? ['messages', 'completions'] : ['completions', 'messages'];
  const contender = (name: string, url: string, model: string): Contender => ({
    name,
    baseline: name === baseline ? null : baseline,
    sample: () => sampleStreams(name, `${url}${path}`, model, tokens, sampleMs),
  });
  return [
    contender(baseline, bare, 'm'),
    contender(`${what}: piped`, gateway, own as string),
    contender(`${what}: translated`, gateway, other as string),
  ];
}

/** @throws WrongAnswer where a stream has not as many tokens as were asked for, or no end */
async function sampleStreams(
  name: string,
  url: string,
  model: string,
  tokens: number,
  sampleMs: number,
): Promise<Sample> {
  const body = JSON.stringify({
    model,
    max_tokens: tokens,
    stream: true,
    messages: [{ role: 'user', content: 'go' }],
  });
  let spentMs = 0;
  let checked = 0;
  while (spentMs < sampleMs) {
    const startedMs = performance.now();
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    let firstMs = 0;
    let text = '';
    const decoder = new TextDecoder();
    for await (const part of answer.body ?? []) {
      text += decoder.decode(part as Uint8Array, { stream: true });
      if (firstMs === 0 && text.includes('"token ')) firstMs = performance.now() - startedMs;
    }
    spentMs += tokens === SHORT ? firstMs : performance.now() - startedMs;
    const isWhole = () =>
      text.split('"token ').length - 1 === tokens && /\[DONE\]|"message_stop"/.test(text) && firstMs > 0;
    expectRight(name, isWhole, () => `${answer.status} ${text.slice(-300)}`);
    checked += tokens;
  }
  return { perSecond: (checked / spentMs) * 1_000, checked };
}

/** How much longer a first token takes, in milliseconds: the medians' difference. */
export function addedMs(rows: readonly Row[]): string[] {
  const medianMs = ({ perSecond }: Row) =>
    1_000 / (perSecond.toSorted((a, b) => a - b)[perSecond.length >> 1] as number);
  return rows.flatMap((row) => {
    const baseline = rows.find(({ name }) => name === row.baseline);
    if (!baseline || !row.name.startsWith('first')) return [];
    return [
      `${row.name}: ${(medianMs(row) - medianMs(baseline)).toFixed(2)} ms later than the provider itself`,
    ];
  });
}
