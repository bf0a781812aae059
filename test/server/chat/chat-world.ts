import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { systemTimer } from '../../../server/base/system.ts';
import { createOutbound } from '../../../server/outbound/guarded-fetch.ts';
import { readAllowed } from '../../../server/outbound/reach.ts';
import type { PolicyFile } from '../../../server/wire/policy.ts';
import { createTestApp } from '../../test-app.ts';
import { solve } from '../../test-gate.ts';
import { startUpstream, type Upstream } from './upstream.ts';

export const CHAT_POLICY: PolicyFile = {
  defaults: { difficulty_bits: 1 },
  routes: [
    {
      id: 'chat',
      paths: ['/chat', '/v1/chat/completions', '/v1/messages'],
      methods: ['POST'],
      passport_ttl_secs: 0,
    },
  ],
};

export const KEYS = { OPENAI: 'sk-secret-of-openai', ANTHROPIC: 'sk-ant-secret', GOOGLE: 'AIza-secret' };

export type ChatWorld = Awaited<ReturnType<typeof openChatWorld>>;

/**
 * The app on a port, gated, with a model of each provider at one upstream: `gpt` (also as `gpt-think`), `claude`,
 * `gemini`; the unchanged clients in front of it, with a fetch that pays.
 */
export async function openChatWorld({
  policy = CHAT_POLICY,
  allow = ['127.0.0.1'],
}: {
  policy?: PolicyFile;
  allow?: string[];
} = {}) {
  const upstream: Upstream = await startUpstream();
  const outbound = createOutbound({ allow: readAllowed(allow), timer: systemTimer, ownAddresses: () => [] });
  const baseURL = upstream.url;
  const models = {
    gpt: { provider: 'openai', baseURL, apiKeyEnv: 'OPENAI', model: 'gpt-upstream' },
    llama: { provider: 'openai-compatible', baseURL, model: 'llama-upstream', thinkTag: 'think' },
    claude: { provider: 'anthropic', baseURL, apiKeyEnv: 'ANTHROPIC', model: 'claude-sonnet-4-5' },
    gemini: { provider: 'google', baseURL, apiKeyEnv: 'GOOGLE', model: 'gemini-2.5-upstream' },
  };
  const app = createTestApp({ policy, chat: { config: { models }, env: KEYS, outbound } });
  const server = app.app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** Pays as the wrapper of the project does, without its solver. */
  const payingFetch: typeof fetch = async (input, init) => {
    const refused = await fetch(input, init);
    if (!refused.headers.get('www-authenticate')?.startsWith('PoW')) return refused;
    const { challenge } = ((await refused.json()) as { challenge: { challenge: string } }).challenge;
    const headers = new Headers(init?.headers);
    headers.set('PoW', `${challenge}:${solve(challenge)}`);
    return fetch(input, { ...init, headers });
  };
  const unpaying = { baseURL: `${url}/v1`, apiKey: 'a-key-of-the-client', maxRetries: 0 };
  return {
    ...app,
    upstream,
    url,
    payingFetch,
    openai: new OpenAI({ ...unpaying, fetch: payingFetch }),
    anthropic: new Anthropic({ ...unpaying, baseURL: url, fetch: payingFetch }),
    unpaid: {
      openai: new OpenAI(unpaying),
      anthropic: new Anthropic({ ...unpaying, baseURL: url }),
    },
    async close() {
      upstream.close();
      await outbound.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
