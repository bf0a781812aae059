import { writeEvent } from './events.ts';
import { type Answer, type AnswerPart, type Finish, finishOf, type Step, type Usage } from './neutral.ts';
import type { AnswerHead } from './write-openai.ts';

const STOP: Record<Finish, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'content-filter': 'refusal',
  'tool-calls': 'tool_use',
  error: 'end_turn',
  other: 'end_turn',
};

/** A whole answer as a Message object. Thoughts of other providers have no signature. */
export function writeAnthropicAnswer({ content, finish, usage }: Answer, head: AnswerHead): object {
  const hasToolCalls = content.some((part) => part.type === 'tool-call');
  return {
    ...messageHead(head),
    content: content.flatMap(blockOf),
    stop_reason: STOP[finishOf(finish, hasToolCalls)],
    usage: usageOf(usage),
  };
}

function blockOf(part: AnswerPart): object[] {
  if (part.type === 'tool-call') {
    return [{ type: 'tool_use', id: part.id, name: part.name, input: readInput(part.input) }];
  }
  if (part.text === '') return [];
  return part.type === 'text'
    ? [{ type: 'text', text: part.text }]
    : [{ type: 'thinking', thinking: part.text, signature: '' }];
}

type Kind = 'text' | 'reasoning' | 'tool';
/** A content block on its way: `waiting` is what may not be sent yet, since another block is open. */
type Block = { kind: Kind; id: string; name: string; sent: string; waiting: string; isComplete: boolean };

/**
 * Turns the steps of one answer into Message events.
 *
 * At most one block is open at a time, each is started once and stopped once, and has one kind: a client that saw two
 * stops would run a tool twice, and text in a block of thoughts would be lost. Calls of tools that come interleaved wait
 * for their turn; text and thoughts end where something else begins.
 */
export function createAnthropicWriter(head: AnswerHead) {
  /** The first is open, once `isOpen`; the others wait. */
  const queue: Block[] = [];
  /** Tools of which nothing more may come. */
  const stopped = new Set<string>();
  let isOpen = false;
  let index = 0;
  let hasStarted = false;
  let hasToolCalls = false;

  const event = (type: string, members: object) => writeEvent(type, JSON.stringify({ type, ...members }));

  function begin(): string {
    if (hasStarted) return '';
    hasStarted = true;
    const message = {
      ...messageHead(head),
      content: [],
      stop_reason: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    };
    return event('message_start', { message });
  }

  /** Sends what may be sent: the first block as far as it is there, and the next where it is complete. */
  function advance(): string {
    let out = '';
    for (let block = queue[0]; block; block = queue[0]) {
      if (!isOpen) {
        out += event('content_block_start', { index, content_block: startOf(block) });
        isOpen = true;
      }
      if (block.waiting !== '') {
        out += event('content_block_delta', { index, delta: deltaOf(block) });
        block.sent += block.waiting;
        block.waiting = '';
      }
      if (!block.isComplete) return out;
      out += event('content_block_stop', { index });
      if (block.kind === 'tool') stopped.add(block.id);
      queue.shift();
      isOpen = false;
      index++;
    }
    return out;
  }

  /** The block of this kind and id, begun where there is none. Null where it is over. */
  function take(kind: Kind, id: string, name = ''): Block | null {
    const found = queue.find((block) => block.kind === kind && block.id === id && !block.isComplete);
    if (found) return found;
    if (kind === 'tool' && (stopped.has(id) || queue.some((block) => block.kind === kind && block.id === id)))
      return null;
    const last = queue.at(-1);
    if (last && last.kind !== 'tool') last.isComplete = true;
    const block: Block = { kind, id, name, sent: '', waiting: '', isComplete: false };
    queue.push(block);
    return block;
  }

  function add(kind: Kind, id: string, text: string): void {
    if (text === '') return;
    const block = take(kind, id);
    if (block) block.waiting += text;
  }

  function write(step: Step): string {
    switch (step.type) {
      case 'text':
      case 'reasoning':
        add(step.type, step.id, step.delta);
        return advance();
      case 'text-end':
      case 'reasoning-end': {
        const kind = step.type === 'text-end' ? 'text' : 'reasoning';
        const block = queue.find((one) => one.kind === kind && one.id === step.id);
        if (block) block.isComplete = true;
        return advance();
      }
      case 'tool-start':
        hasToolCalls = true;
        take('tool', step.id, step.name);
        return advance();
      case 'tool-delta': {
        const block = queue.find((one) => one.kind === 'tool' && one.id === step.id && !one.isComplete);
        if (block) block.waiting += step.delta;
        return advance();
      }
      case 'tool-call': {
        hasToolCalls = true;
        const block = take('tool', step.id, step.name);
        if (!block) return '';
        const before = block.sent + block.waiting;
        const whole = step.input || '{}';
        // Some providers stream no arguments, or not all of them; what is missing comes with the call.
        if (whole.startsWith(before)) block.waiting += whole.slice(before.length);
        block.isComplete = true;
        return advance();
      }
      case 'finish': {
        for (const block of queue) block.isComplete = true;
        return (
          advance() +
          event('message_delta', {
            delta: { stop_reason: STOP[finishOf(step.finish, hasToolCalls)], stop_sequence: null },
            usage: usageOf(step.usage),
          }) +
          event('message_stop', {})
        );
      }
      default:
        return '';
    }
  }
  return function writeStep(step: Step): string {
    const written = write(step);
    return written === '' ? '' : begin() + written;
  };
}

const messageHead = ({ id, model }: AnswerHead) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model,
  stop_sequence: null,
});

function startOf({ kind, id, name }: Block): object {
  if (kind === 'text') return { type: 'text', text: '' };
  if (kind === 'reasoning') return { type: 'thinking', thinking: '', signature: '' };
  return { type: 'tool_use', id, name, input: {} };
}

function deltaOf({ kind, waiting }: Block): object {
  if (kind === 'text') return { type: 'text_delta', text: waiting };
  if (kind === 'reasoning') return { type: 'thinking_delta', thinking: waiting };
  return { type: 'input_json_delta', partial_json: waiting };
}

/** What a tool is called with; an object, since the API knows nothing else. */
function readInput(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text || '{}');
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : { value };
  } catch {
    // What a model wrote badly is for the tool to refuse: nothing is dropped.
    return { _unparsed: text };
  }
}

function usageOf({ input = 0, cachedInput, output = 0 }: Usage): object {
  return {
    // The API counts what was read from the cache apart.
    input_tokens: input - (cachedInput ?? 0),
    output_tokens: output,
    ...(cachedInput !== undefined && { cache_read_input_tokens: cachedInput }),
  };
}
