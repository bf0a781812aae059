import { encodeBase64url } from '../base/base64url.ts';
import { Fault } from '../base/fault.ts';
import type { Outbound } from '../base/outbound.ts';
import { type Clock, type Log, nowSecs, type Random } from '../base/ports.ts';
import { fault } from '../wire/problem.ts';
import type { ChatModel } from './chat-model.ts';
import type { ModelRow, ModelTable } from './config-file.ts';
import { errorEvent, type Format } from './core/error-shape.ts';
import type { Usage } from './core/neutral.ts';
import { ECHO_MODEL } from './echo.ts';
import { createProviderModel } from './provider-model.ts';
import { type ClientHeaders, isSameForm, relayEvents, sendOn, usageIn } from './relay.ts';
import { shownError } from './shape-errors.ts';
import { readCall, writeAnswer, writeStream } from './translate.ts';
import { faultOfError } from './upstream-fault.ts';

export type GatewayDeps = {
  /** Null: only the echo answers. */
  models: ModelTable | null;
  echo: ChatModel;
  outbound: Outbound;
  clock: Clock;
  random: Random;
  log: Log;
  tell?: TellChat;
};

/** What became of a request to a model. `outcome`: `answered`, `broken`, `left`, or the code of a refusal. */
export type ChatEvent = {
  model: string;
  form: Format;
  outcome: string;
  usage: Pick<Usage, 'input' | 'output'>;
};
export type TellChat = (event: ChatEvent) => void;

/** A request of a client, as far as it was read. */
export type Asked = {
  format: Format;
  body: { model: string; stream?: boolean | null | undefined; stream_options?: unknown };
  headers: ClientHeaders;
  requestId: string;
  /** Ends when the client goes. */
  signal: AbortSignal;
};

/** What goes back: a body to be sent as it is, an object to be written as JSON, or events. */
export type Reply =
  | { kind: 'bytes'; contentType: string; body: Uint8Array }
  | { kind: 'json'; body: object }
  | { kind: 'events'; events: AsyncGenerator<string | Uint8Array> };

export type Gateway = ReturnType<typeof createGateway>;

/** Sends requests to the models of the table: as they are where the provider speaks the client's form, else translated. */
export function createGateway(deps: GatewayDeps) {
  const { models, outbound, clock, random, log, tell = () => {} } = deps;
  const names = models ? [...models.keys()] : [ECHO_MODEL];

  /** @throws Fault `unknown-model`, `malformed-request`, `provider-*` */
  async function answer(asked: Asked): Promise<Reply> {
    const { body, signal } = asked;
    const row = rowOf(body.model);
    try {
      return row && isSameForm(asked.format, row) ? await relay(row, asked) : await translate(row, asked);
    } catch (error) {
      if (error instanceof Fault) tellOf(asked, signal.aborted ? 'left' : error.code);
      throw error;
    }
  }

  function rowOf(name: string): ModelRow | null {
    const row = models?.get(name) ?? null;
    if (row === null && !names.includes(name)) {
      throw fault('unknown-model', `model: expected one of ${names.join(', ')}, got ${JSON.stringify(name)}`);
    }
    return row;
  }

  async function relay(row: ModelRow, asked: Asked): Promise<Reply> {
    const { format, body, headers, signal } = asked;
    const response = await sendOn(row, format, body, headers, outbound, signal);
    const contentType = response.headers.get('content-type') ?? 'application/json';
    if (response.body && contentType.startsWith('text/event-stream')) {
      const usage: Partial<Usage> = {};
      const events = relayEvents(response.body, (seen) => void Object.assign(usage, seen));
      return { kind: 'events', events: endWell(row, asked, events, usage) };
    }
    try {
      const bytes = new Uint8Array(await response.arrayBuffer());
      tellOf(asked, 'answered', usageIn(new TextDecoder().decode(bytes)));
      return { kind: 'bytes', contentType, body: bytes };
    } catch (error) {
      throw faultOfError(row, error);
    }
  }

  async function translate(row: ModelRow | null, asked: Asked): Promise<Reply> {
    const { format, body, signal } = asked;
    const call = readCall(format, body);
    const model = row ? createProviderModel(row, outbound) : deps.echo;
    const head = {
      id: encodeBase64url(random.bytes(18)).replace(/[-_]/g, '0'),
      createdSecs: nowSecs(clock),
      model: body.model,
    };
    if (body.stream !== true) {
      const whole = await model.generate(call, signal);
      tellOf(asked, 'answered', whole.usage);
      return { kind: 'json', body: writeAnswer(format, whole, head) };
    }
    const usage: Partial<Usage> = {};
    const includesUsage = (body.stream_options as { include_usage?: unknown } | null)?.include_usage === true;
    const events = writeStream(format, await model.stream(call, signal), head, {
      includesUsage,
      see: (seen) => void Object.assign(usage, seen),
    });
    return { kind: 'events', events: endWell(row, asked, events, usage) };
  }

  /** The events, and where they break off the error that the client's form has for it. Never throws. */
  async function* endWell(
    row: ModelRow | null,
    asked: Asked,
    events: AsyncIterable<string | Uint8Array>,
    usage: Partial<Usage>,
  ): AsyncGenerator<string | Uint8Array> {
    let outcome = 'left';
    try {
      yield* events;
      outcome = 'answered';
    } catch (error) {
      if (asked.signal.aborted) return;
      outcome = 'broken';
      const refusal = row
        ? faultOfError(row, error)
        : fault('internal', 'the answer broke off', { cause: error });
      const fields = { request_id: asked.requestId, model: asked.body.model, code: refusal.code };
      log.error({ ...fields, err: refusal.cause }, 'an answer of a model broke off');
      yield errorEvent(asked.format, shownError(refusal));
    } finally {
      tellOf(asked, outcome, usage);
    }
  }

  function tellOf({ body, format }: Asked, outcome: string, usage: Partial<Usage> = {}): void {
    tell({
      model: body.model,
      form: format,
      outcome,
      usage: { input: usage.input, output: usage.output },
    });
  }

  return { answer, names };
}
