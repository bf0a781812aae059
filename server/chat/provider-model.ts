import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { Outbound } from '../base/outbound.ts';
import type { ChatModel } from './chat-model.ts';
import type { ModelRow } from './config-file.ts';
import type { Call, Effort, Message } from './core/neutral.ts';
import { answerOf, stepsOf } from './provider-answer.ts';
import { fetchFiles } from './provider-files.ts';
import { fetchThrough } from './upstream.ts';
import { faultOfError } from './upstream-fault.ts';

/**
 * A provider's model by the AI SDK, called through the interface that the SDK's own `generateText` calls: one request,
 * no repeats, no steps.
 */
export function createProviderModel(row: ModelRow, outbound: Outbound): ChatModel {
  async function prepare(call: Call, signal: AbortSignal, isStream: boolean) {
    const model = await openModel(row, fetchThrough(outbound, isStream));
    const complete = await fetchFiles(call, await model.supportedUrls, outbound, signal);
    return { model, options: { ...optionsOf(row, complete), abortSignal: signal } };
  }
  return {
    async generate(call, signal) {
      try {
        const { model, options } = await prepare(call, signal, false);
        return answerOf(await model.doGenerate(options));
      } catch (error) {
        throw faultOfError(row, error);
      }
    },
    async stream(call, signal) {
      try {
        const { model, options } = await prepare(call, signal, true);
        const { stream } = await model.doStream({ ...options, includeRawChunks: speaksOpenAi(row) });
        return stepsOf(stream);
      } catch (error) {
        throw faultOfError(row, error);
      }
    },
  };
}

const speaksOpenAi = ({ provider }: ModelRow) => provider === 'openai' || provider === 'openai-compatible';

/** Packages are loaded when they are first needed: a server without providers never pays for them. */
async function openModel(
  { provider, baseUrl, apiKey, model, thinkTag }: ModelRow,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV3> {
  // Without one the SDK would look into the environment.
  const settings = { baseURL: baseUrl, apiKey: apiKey ?? 'none', fetch };
  const opened = await openAt(provider, settings, model);
  if (thinkTag === null) return opened;
  const { extractReasoningMiddleware, wrapLanguageModel } = await import('ai');
  return wrapLanguageModel({ model: opened, middleware: extractReasoningMiddleware({ tagName: thinkTag }) });
}

type Settings = { baseURL: string; apiKey: string; fetch: typeof globalThis.fetch };

async function openAt(
  provider: ModelRow['provider'],
  settings: Settings,
  model: string,
): Promise<LanguageModelV3> {
  if (provider === 'anthropic') return (await import('@ai-sdk/anthropic')).createAnthropic(settings)(model);
  if (provider === 'google')
    return (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings)(model);
  return (await import('@ai-sdk/openai')).createOpenAI(settings).chat(model);
}

function optionsOf(row: ModelRow, call: Call): LanguageModelV3CallOptions {
  const { prompt, effort, isOneToolAtATime = false, ...rest } = call;
  return {
    ...rest,
    prompt: prompt.map(messageOf),
    providerOptions: {
      openai: {
        ...(effort && { reasoningEffort: effort }),
        ...(isOneToolAtATime && { parallelToolCalls: false }),
      },
      anthropic: {
        ...(effort && { thinking: { type: 'enabled', budgetTokens: BUDGETS[effort] } }),
        ...(isOneToolAtATime && { disableParallelToolUse: true }),
      },
      google: { ...(effort && { thinkingConfig: thinkingOf(row.model, effort) }) },
    },
  };
}

function messageOf(message: Message): LanguageModelV3CallOptions['prompt'][number] {
  if (message.role !== 'user') return message;
  return {
    role: 'user',
    content: message.content.map((part) => {
      if (part.type === 'text') return part;
      const { from, ...file } = part;
      return { ...file, data: 'url' in from ? new URL(from.url) : from.base64 };
    }),
  };
}

// Tokens of thought; our choice. 1,024 is the least that Anthropic takes.
const BUDGETS: Record<Effort, number> = { minimal: 1_024, low: 1_024, medium: 4_096, high: 16_384 };

// https://ai.google.dev/gemini-api/docs/thinking: levels from Gemini 3 on, tokens before.
const thinkingOf = (model: string, effort: Effort) =>
  /gemini-(1|2)/.test(model)
    ? { thinkingBudget: BUDGETS[effort], includeThoughts: true }
    : { thinkingLevel: effort === 'high' ? 'high' : 'low', includeThoughts: true };
