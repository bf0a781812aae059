import { writeEvent } from './events.ts';
import { type Answer, type Finish, finishOf, type Step, type Usage } from './neutral.ts';

/** What the answers of one request share. `createdSecs` is Unix seconds. */
export type AnswerHead = { id: string; createdSecs: number; model: string };

const FINISH: Record<Finish, string> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
  error: 'stop',
  other: 'stop',
};

/** A whole answer as a Chat Completion object. Thoughts travel as `reasoning_content`, which servers of this form share. */
export function writeOpenAiAnswer({ content, finish, usage }: Answer, head: AnswerHead): object {
  const join = (type: 'text' | 'reasoning') =>
    content.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
  const toolCalls = content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: part.input || '{}' } }]
      : [],
  );
  const text = join('text');
  const reasoning = join('reasoning');
  return {
    id: `chatcmpl-${head.id}`,
    object: 'chat.completion',
    created: head.createdSecs,
    model: head.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && toolCalls.length > 0 ? null : text,
          refusal: null,
          ...(reasoning !== '' && { reasoning_content: reasoning }),
          // Clients take an empty array for a call of no tool.
          ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
        },
        logprobs: null,
        finish_reason: FINISH[finishOf(finish, toolCalls.length > 0)],
      },
    ],
    usage: usageOf(usage),
  };
}

/**
 * Turns the steps of one answer into Chat Completion events, in order. Each call of it gives the text to send, which may
 * be empty. An error is not for it: `failure` of `error-shape.ts` is, after which nothing follows.
 */
export function createOpenAiWriter(head: AnswerHead, { includesUsage }: { includesUsage: boolean }) {
  /** Ids of tool calls, in the order of their indexes, with the arguments sent so far. */
  const sent = new Map<string, { index: number; args: string }>();
  let hasStarted = false;

  const chunk = (choices: object[], usage?: object) =>
    writeEvent(
      null,
      JSON.stringify({
        id: `chatcmpl-${head.id}`,
        object: 'chat.completion.chunk',
        created: head.createdSecs,
        model: head.model,
        choices,
        // A client that asked for it finds `null` in all but the last (API reference, stream_options).
        ...(includesUsage && { usage: usage ?? null }),
      }),
    );
  const delta = (change: object, finish: string | null = null) =>
    chunk([{ index: 0, delta: change, logprobs: null, finish_reason: finish }]);

  function begin(): string {
    if (hasStarted) return '';
    hasStarted = true;
    return delta({ role: 'assistant', content: '' });
  }

  function startTool(id: string, name: string): string {
    if (sent.has(id)) return '';
    const index = sent.size;
    sent.set(id, { index, args: '' });
    return delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
  }

  function addArguments(id: string, text: string): string {
    const call = sent.get(id);
    if (!call || text === '') return '';
    call.args += text;
    return delta({ tool_calls: [{ index: call.index, function: { arguments: text } }] });
  }

  function write(step: Step): string {
    switch (step.type) {
      case 'text':
        return step.delta === '' ? '' : delta({ content: step.delta });
      case 'reasoning':
        return step.delta === '' ? '' : delta({ reasoning_content: step.delta });
      case 'tool-start':
        return startTool(step.id, step.name);
      case 'tool-delta':
        return addArguments(step.id, step.delta);
      case 'tool-call': {
        const started = startTool(step.id, step.name);
        const before = sent.get(step.id)?.args ?? '';
        const whole = step.input || '{}';
        // Some providers stream no arguments, or not all of them; what is missing comes with the call.
        return started + (whole.startsWith(before) ? addArguments(step.id, whole.slice(before.length)) : '');
      }
      case 'finish':
        return (
          delta({}, FINISH[finishOf(step.finish, sent.size > 0)]) +
          (includesUsage ? chunk([], usageOf(step.usage)) : '') +
          writeEvent(null, '[DONE]')
        );
      default:
        return '';
    }
  }
  return function writeStep(step: Step): string {
    const written = write(step);
    return written === '' ? '' : begin() + written;
  };
}

function usageOf({ input = 0, cachedInput, output = 0, reasoning }: Usage): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cachedInput !== undefined && { prompt_tokens_details: { cached_tokens: cachedInput } }),
    ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}
