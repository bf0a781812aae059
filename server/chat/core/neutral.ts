/**
 * What stands between the two client formats and the models: the shapes of the AI SDK's language model interface, as far
 * as they are used. They are declared here so that the rules stay free of packages; `provider-model.ts` hands them over,
 * and the compiler compares.
 */

export type Json = null | string | number | boolean | Json[] | { [name: string]: Json | undefined };
export type JsonObject = { [name: string]: Json | undefined };

export type TextPart = { type: 'text'; text: string };
/** `mediaType` may be `image/*` where only the URL knows. */
export type FilePart = {
  type: 'file';
  from: { base64: string } | { url: string };
  mediaType: string;
  filename?: string;
};
export type ReasoningPart = { type: 'reasoning'; text: string };
export type ToolCallPart = { type: 'tool-call'; toolCallId: string; toolName: string; input: Json };
export type ToolResultPart = {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: { type: 'text' | 'error-text'; value: string };
};

export type Message =
  | { role: 'system'; content: string }
  | { role: 'user'; content: (TextPart | FilePart)[] }
  | { role: 'assistant'; content: (TextPart | ReasoningPart | ToolCallPart)[] }
  | { role: 'tool'; content: ToolResultPart[] };

export type Tool = {
  type: 'function';
  name: string;
  description?: string;
  inputSchema: JsonObject;
  strict?: boolean;
};
export type ToolChoice =
  | { type: 'auto' }
  | { type: 'none' }
  | { type: 'required' }
  | { type: 'tool'; toolName: string };

/** How much a model is to think, as both client formats can say it. */
export type Effort = 'minimal' | 'low' | 'medium' | 'high';

/** One question to a model. */
export type Call = {
  prompt: Message[];
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  seed?: number;
  stopSequences?: string[];
  responseFormat?: { type: 'text' } | { type: 'json'; schema?: JsonObject; name?: string };
  tools?: Tool[];
  toolChoice?: ToolChoice;
  effort?: Effort;
  /** At most one tool call in an answer. */
  isOneToolAtATime?: boolean;
};

export type Finish = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

/** Tokens; undefined where the provider does not tell. */
export type Usage = {
  input: number | undefined;
  /** Of `input`, read from the provider's cache. */
  cachedInput: number | undefined;
  output: number | undefined;
  /** Of `output`, thought and not said. */
  reasoning: number | undefined;
};

/** One step of an answer that streams. The end of an id's input and its whole `input` come with `tool-call`. */
export type Step =
  | { type: 'text' | 'reasoning'; id: string; delta: string }
  | { type: 'text-end' | 'reasoning-end'; id: string }
  | { type: 'tool-start'; id: string; name: string }
  | { type: 'tool-delta'; id: string; delta: string }
  | { type: 'tool-call'; id: string; name: string; input: string }
  | { type: 'finish'; finish: Finish; usage: Usage }
  | { type: 'error'; error: unknown };

export type AnswerPart =
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'tool-call'; id: string; name: string; input: string };

/** A whole answer. */
export type Answer = { content: AnswerPart[]; finish: Finish; usage: Usage };

export const NO_USAGE: Usage = {
  input: undefined,
  cachedInput: undefined,
  output: undefined,
  reasoning: undefined,
};

/** What an answer ended with, whatever the provider calls it: some say "stop" after a call of a tool. */
export const finishOf = (finish: Finish, hasToolCalls: boolean): Finish =>
  hasToolCalls && (finish === 'stop' || finish === 'other') ? 'tool-calls' : finish;
