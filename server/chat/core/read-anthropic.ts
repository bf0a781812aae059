import type { AnthropicRequest } from '../../wire/chat-anthropic.ts';
import { readBase64, readFileUrl, UnreadableError } from './files.ts';
import type { Call, Effort, FilePart, Message, TextPart, ToolChoice, ToolResultPart } from './neutral.ts';

type Asked = AnthropicRequest['messages'][number];
type UserBlock = Exclude<Extract<Asked, { role: 'user' }>['content'], string>[number];
type FileBlock = Extract<UserBlock, { type: 'image' | 'document' }>;
type ResultBlock = Extract<UserBlock, { type: 'tool_result' }>;

/**
 * The call that a Messages request asks for, for a provider of another form.
 *
 * Results of tools come before whatever else the same message says. Their images follow them as what the user shows,
 * since other forms have only text for results. Earlier thoughts stay behind: they are sealed for their own provider.
 * @throws UnreadableError
 */
export function readAnthropicRequest(asked: AnthropicRequest): Call {
  // The member, and messages of that role among the others: other forms have one place for both.
  const inside = asked.messages.flatMap(({ role, content }) => (role === 'system' ? [textOf(content)] : []));
  const system = [asked.system ? textOf(asked.system) : '', ...inside]
    .filter((text) => text !== '')
    .join('\n\n');
  const prompt: Message[] = system === '' ? [] : [{ role: 'system', content: system }];
  const toolNames = new Map<string, string>();
  for (const [i, message] of asked.messages.entries()) {
    if (message.role === 'user') readUser(message.content, `messages.${i}`, prompt, toolNames);
    if (message.role === 'assistant') readAssistant(message.content, prompt, toolNames);
  }
  const { tool_choice: choice, output_config: output } = asked;
  const effort = effortOf(asked);
  return {
    prompt,
    maxOutputTokens: asked.max_tokens,
    ...(asked.temperature != null && { temperature: asked.temperature }),
    ...(asked.top_p != null && { topP: asked.top_p }),
    ...(asked.top_k != null && { topK: asked.top_k }),
    ...(asked.stop_sequences && asked.stop_sequences.length > 0 && { stopSequences: asked.stop_sequences }),
    ...(asked.tools && asked.tools.length > 0 && { tools: asked.tools.map(toolOf) }),
    ...(choice && { toolChoice: toolChoiceOf(choice) }),
    ...(choice && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use
      ? { isOneToolAtATime: true }
      : {}),
    ...(output?.format && { responseFormat: { type: 'json' as const, schema: output.format.schema } }),
    ...(effort && { effort }),
  };
}

function readUser(
  content: string | UserBlock[],
  where: string,
  prompt: Message[],
  toolNames: ReadonlyMap<string, string>,
): void {
  const results: ToolResultPart[] = [];
  const shown: (TextPart | FilePart)[] = [];
  const said: (TextPart | FilePart)[] = [];
  const blocks: UserBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  for (const [i, block] of blocks.entries()) {
    const place = `${where}.content.${i}`;
    if (block.type === 'text') said.push({ type: 'text', text: block.text });
    else if (block.type !== 'tool_result') said.push(fileOf(block, place));
    else results.push(resultOf(block, place, toolNames, shown));
  }
  if (results.length > 0) prompt.push({ role: 'tool', content: results });
  if (shown.length + said.length > 0) prompt.push({ role: 'user', content: [...shown, ...said] });
}

/** The text of a result; its files are added to `shown`. */
function resultOf(
  block: ResultBlock,
  place: string,
  toolNames: ReadonlyMap<string, string>,
  shown: (TextPart | FilePart)[],
): ToolResultPart {
  const toolName = toolNames.get(block.tool_use_id);
  if (toolName === undefined) {
    throw new UnreadableError(`${place}.tool_use_id: expected the id of a tool_use of an earlier message`);
  }
  const parts = typeof block.content === 'string' ? [] : (block.content ?? []);
  const texts = typeof block.content === 'string' ? [block.content] : [];
  for (const [k, part] of parts.entries()) {
    if (part.type === 'text') texts.push(part.text);
    else {
      texts.push(`[${part.type} below]`);
      shown.push({ type: 'text', text: `From ${toolName}:` }, fileOf(part, `${place}.content.${k}`));
    }
  }
  const type = block.is_error ? ('error-text' as const) : ('text' as const);
  return {
    type: 'tool-result',
    toolCallId: block.tool_use_id,
    toolName,
    output: { type, value: texts.join('\n') },
  };
}

function readAssistant(
  content: Extract<Asked, { role: 'assistant' }>['content'],
  prompt: Message[],
  toolNames: Map<string, string>,
): void {
  const kept: Extract<Message, { role: 'assistant' }>['content'] = [];
  for (const block of typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content) {
    if (block.type === 'text' && block.text !== '') kept.push({ type: 'text', text: block.text });
    if (block.type === 'tool_use') {
      toolNames.set(block.id, block.name);
      kept.push({ type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input });
    }
  }
  if (kept.length > 0) prompt.push({ role: 'assistant', content: kept });
}

function fileOf({ type, source, ...rest }: FileBlock, where: string): TextPart | FilePart {
  const place = `${where}.source`;
  if (source.type === 'text') return { type: 'text', text: source.data };
  const title = 'title' in rest && rest.title ? { filename: rest.title } : {};
  const file =
    source.type === 'base64'
      ? readBase64(source.data, source.media_type.toLowerCase(), `${place}.data`)
      : readFileUrl(source.url, `${place}.url`, type === 'image' ? 'image/*' : 'application/pdf');
  return { ...file, ...title };
}

const textOf = (content: string | { text: string }[]): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');

const toolOf = (tool: NonNullable<AnthropicRequest['tools']>[number]) => ({
  type: 'function' as const,
  name: tool.name,
  ...(tool.description && { description: tool.description }),
  inputSchema: tool.input_schema,
});

function toolChoiceOf(choice: NonNullable<AnthropicRequest['tool_choice']>): ToolChoice {
  if (choice.type === 'tool') return { type: 'tool', toolName: choice.name };
  return { type: choice.type === 'any' ? 'required' : choice.type };
}

// Our choice of the steps; the other way round is in provider-model.ts.
function effortOf({ thinking, output_config: output }: AnthropicRequest): Effort | undefined {
  if (!thinking || thinking.type === 'disabled') return undefined;
  if (thinking.type === 'enabled') {
    return thinking.budget_tokens <= 2_048 ? 'low' : thinking.budget_tokens <= 8_192 ? 'medium' : 'high';
  }
  if (!output?.effort) return thinking.type === 'between_tools' ? 'low' : 'medium';
  return output.effort === 'low' || output.effort === 'medium' ? output.effort : 'high';
}
