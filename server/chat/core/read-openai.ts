import type { OpenAiRequest } from '../../wire/chat-openai.ts';
import { readBase64, readFileUrl, UnreadableError } from './files.ts';
import type { Call, Effort, FilePart, Json, Message, TextPart, ToolChoice } from './neutral.ts';

type Asked = OpenAiRequest['messages'][number];
type UserPart = Exclude<Extract<Asked, { role: 'user' }>['content'], string>[number];

/**
 * The call that a Chat Completions request asks for, for a provider of another form.
 *
 * System and developer messages go to the front, since other forms have one place for them. Results of tools that follow
 * each other make one message.
 * @throws UnreadableError
 */
export function readOpenAiRequest(asked: OpenAiRequest): Call {
  const system = asked.messages.flatMap((message) =>
    message.role === 'system' || message.role === 'developer' ? [textOf(message.content)] : [],
  );
  const prompt: Message[] = system.length > 0 ? [{ role: 'system', content: system.join('\n\n') }] : [];
  const toolNames = new Map<string, string>();
  for (const [i, message] of asked.messages.entries())
    readMessage(message, `messages.${i}`, prompt, toolNames);

  const limit = asked.max_completion_tokens ?? asked.max_tokens;
  const effort = effortOf(asked);
  return {
    prompt,
    ...(limit != null && { maxOutputTokens: limit }),
    ...(asked.temperature != null && { temperature: asked.temperature }),
    ...(asked.top_p != null && { topP: asked.top_p }),
    ...(asked.presence_penalty != null && { presencePenalty: asked.presence_penalty }),
    ...(asked.frequency_penalty != null && { frequencyPenalty: asked.frequency_penalty }),
    ...(asked.seed != null && { seed: asked.seed }),
    ...(asked.stop != null && { stopSequences: [asked.stop].flat() }),
    ...(asked.response_format && { responseFormat: responseFormatOf(asked.response_format) }),
    ...(asked.tools && asked.tools.length > 0 && { tools: asked.tools.map(toolOf) }),
    ...(asked.tool_choice && { toolChoice: toolChoiceOf(asked.tool_choice) }),
    ...(asked.parallel_tool_calls === false && { isOneToolAtATime: true }),
    ...(effort && { effort }),
  };
}

function readMessage(message: Asked, where: string, prompt: Message[], toolNames: Map<string, string>): void {
  switch (message.role) {
    case 'user': {
      const parts: UserPart[] =
        typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
      const content = parts.map((part, i) => userPartOf(part, `${where}.content.${i}`));
      prompt.push({ role: 'user', content });
      return;
    }
    case 'assistant': {
      const content: Extract<Message, { role: 'assistant' }>['content'] = [];
      const said = [message.content ? textOf(message.content) : '', message.refusal ?? ''].join('');
      if (said !== '') content.push({ type: 'text', text: said });
      for (const [i, { id, function: called }] of (message.tool_calls ?? []).entries()) {
        toolNames.set(id, called.name);
        const input = readArguments(called.arguments, `${where}.tool_calls.${i}.function.arguments`);
        content.push({ type: 'tool-call', toolCallId: id, toolName: called.name, input });
      }
      if (content.length > 0) prompt.push({ role: 'assistant', content });
      return;
    }
    case 'tool': {
      const toolName = toolNames.get(message.tool_call_id);
      if (toolName === undefined) {
        throw new UnreadableError(
          `${where}.tool_call_id: expected the id of a tool call of an earlier message`,
        );
      }
      const last = prompt.at(-1);
      const output = { type: 'text' as const, value: textOf(message.content) };
      const result = { type: 'tool-result' as const, toolCallId: message.tool_call_id, toolName, output };
      if (last?.role === 'tool') last.content.push(result);
      else prompt.push({ role: 'tool', content: [result] });
    }
  }
}

function userPartOf(part: UserPart, where: string): TextPart | FilePart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image_url':
      return readFileUrl(part.image_url.url, `${where}.image_url.url`);
    case 'input_audio': {
      const { data, format } = part.input_audio;
      return readBase64(data, format === 'mp3' ? 'audio/mpeg' : 'audio/wav', `${where}.input_audio.data`);
    }
    case 'file': {
      const { file_data: data, filename } = part.file;
      const file = readFileUrl(data, `${where}.file.file_data`, 'application/pdf');
      return { ...file, ...(filename && { filename }) };
    }
  }
}

const textOf = (content: string | { type: string; text?: string; refusal?: string }[]): string =>
  typeof content === 'string' ? content : content.map((part) => part.text ?? part.refusal ?? '').join('');

function readArguments(text: string, where: string): Json {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new UnreadableError(`${where}: expected JSON`);
  }
}

const toolOf = ({ function: tool }: NonNullable<OpenAiRequest['tools']>[number]) => ({
  type: 'function' as const,
  name: tool.name,
  ...(tool.description && { description: tool.description }),
  // A function without parameters takes none (API reference).
  inputSchema: tool.parameters ?? { type: 'object', properties: {} },
});

const toolChoiceOf = (choice: NonNullable<OpenAiRequest['tool_choice']>): ToolChoice =>
  typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.function.name };

function responseFormatOf(
  format: NonNullable<OpenAiRequest['response_format']>,
): NonNullable<Call['responseFormat']> {
  if (format.type === 'text') return { type: 'text' };
  if (format.type === 'json_object') return { type: 'json' };
  const { name, schema } = format.json_schema;
  return { type: 'json', name, ...(schema && { schema }) };
}

/**
 * How much to think. Not where the last turn called tools: other providers want the thoughts of that turn back, signed, and
 * this form cannot carry them.
 */
function effortOf({ reasoning_effort: effort, messages }: OpenAiRequest): Effort | undefined {
  if (!effort || effort === 'none' || messages.at(-1)?.role === 'tool') return undefined;
  return effort === 'xhigh' || effort === 'max' ? 'high' : effort;
}
