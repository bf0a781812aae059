import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { dataOf, eventsOf } from '../../../../server/chat/core/events.ts';
import { NO_USAGE, type Step } from '../../../../server/chat/core/neutral.ts';
import { createAnthropicWriter } from '../../../../server/chat/core/write-anthropic.ts';
import { createOpenAiWriter, writeOpenAiAnswer } from '../../../../server/chat/core/write-openai.ts';

// Faults that gateways of this kind have shipped, each as a test, and a model of what must hold for every answer.

const head = { id: 'x', createdSecs: 1, model: 'm' };
const finish: Step = { type: 'finish', finish: 'stop', usage: NO_USAGE };
const start = (id: string, name = 'f'): Step => ({ type: 'tool-start', id, name });
const delta = (id: string, text: string): Step => ({ type: 'tool-delta', id, delta: text });
const call = (id: string, input: string, name = 'f'): Step => ({ type: 'tool-call', id, name, input });
const text = (said: string, id = 't'): Step => ({ type: 'text', id, delta: said });
const thought = (said: string, id = 'r'): Step => ({ type: 'reasoning', id, delta: said });

type Event = Record<string, unknown> & {
  type: string;
  index?: number;
  content_block?: { type: string; name?: string; id?: string };
  delta?: Record<string, string>;
};

const parse = (out: string) => eventsOf(out).map((event) => dataOf(event) as string);
function anthropic(...steps: Step[]): Event[] {
  const write = createAnthropicWriter(head);
  return parse(steps.map(write).join('')).map((data) => JSON.parse(data));
}
type Chunk = {
  choices: {
    delta: {
      content?: string;
      reasoning_content?: string;
      tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[];
    };
    finish_reason: string | null;
  }[];
};
function openAi(...steps: Step[]): Chunk[] {
  const write = createOpenAiWriter(head, { includesUsage: false });
  const data = parse(steps.map(write).join(''));
  return data.filter((one) => one !== '[DONE]').map((one) => JSON.parse(one));
}

/** Reads Messages events as a client does, and refuses what breaks the rules of the form. */
function blocksOf(events: Event[]): { type: string; name: string; text: string }[] {
  const blocks: { type: string; name: string; text: string }[] = [];
  let open: number | null = null;
  assert.equal(events[0]?.type, 'message_start');
  assert.deepEqual(
    events.slice(-2).map(({ type }) => type),
    ['message_delta', 'message_stop'],
  );
  for (const event of events.slice(1, -2)) {
    if (event.type === 'content_block_start') {
      assert.equal(open, null, 'a block starts inside another');
      assert.equal(event.index, blocks.length);
      open = event.index as number;
      blocks.push({ type: event.content_block?.type ?? '', name: event.content_block?.name ?? '', text: '' });
    } else {
      assert.equal(event.index, open, `${event.type} for a block that is not open`);
      const block = blocks.at(-1) as (typeof blocks)[number];
      if (event.type === 'content_block_stop') open = null;
      else {
        const kinds: Record<string, string> = {
          text_delta: 'text',
          thinking_delta: 'thinking',
          input_json_delta: 'tool_use',
        };
        assert.equal(kinds[event.delta?.type ?? ''], block.type, 'a delta of another kind than its block');
        block.text += event.delta?.text ?? event.delta?.thinking ?? event.delta?.partial_json ?? '';
      }
    }
  }
  assert.equal(open, null, 'a block is never stopped');
  return blocks;
}

describe('faults of others', () => {
  test('a tool whose end is told twice is stopped once, or it would run twice', () => {
    const events = anthropic(start('a'), delta('a', '{}'), call('a', '{}'), call('a', '{}'), finish);
    assert.equal(events.filter(({ type }) => type === 'content_block_stop').length, 1);
    assert.equal(blocksOf(events).length, 1);
    const calls = openAi(start('a'), delta('a', '{}'), call('a', '{}'), call('a', '{}'), finish).flatMap(
      ({ choices }) => choices[0]?.delta.tool_calls ?? [],
    );
    assert.equal(calls.filter(({ id }) => id).length, 1);
    assert.equal(calls.map((one) => one.function.arguments).join(''), '{}');
  });

  test('an answer without tools has no empty array of calls, whole or in pieces', () => {
    const whole = JSON.stringify(
      writeOpenAiAnswer({ content: [{ type: 'text', text: 'hi' }], finish: 'stop', usage: NO_USAGE }, head),
    );
    assert.doesNotMatch(whole, /tool_calls/);
    assert.doesNotMatch(JSON.stringify(openAi(text('hi'), finish)), /tool_calls/);
  });

  for (const [what, steps] of Object.entries({
    'that come with the call alone': [start('a'), call('a', '{"x":1}')],
    'of a call that was never announced': [call('a', '{"x":1}')],
    'of which a part was streamed': [start('a'), delta('a', '{"x'), call('a', '{"x":1}')],
    'in one piece': [start('a'), delta('a', '{"x":1}'), call('a', '{"x":1}')],
    'of a call that the provider never ends': [start('a'), delta('a', '{"x":1}')],
  })) {
    test(`arguments are not dropped: ${what}`, () => {
      assert.deepEqual(blocksOf(anthropic(...steps, finish)), [
        { type: 'tool_use', name: 'f', text: '{"x":1}' },
      ]);
      const calls = openAi(...steps, finish).flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
      assert.equal(calls.map((one) => one.function.arguments).join(''), '{"x":1}');
    });
  }

  test('a call without arguments has an empty object', () => {
    assert.equal(blocksOf(anthropic(start('a'), call('a', ''), finish))[0]?.text, '{}');
  });

  test('thoughts never stand in a block of text, whatever order they come in', () => {
    const blocks = blocksOf(anthropic(text('a'), thought('b'), text('c'), thought('d'), finish));
    assert.deepEqual(
      blocks.map(({ type, text: said }) => [type, said]),
      [
        ['text', 'a'],
        ['thinking', 'b'],
        ['text', 'c'],
        ['thinking', 'd'],
      ],
    );
  });

  test('calls that come interleaved keep their own arguments', () => {
    const steps = [
      start('a', 'f'),
      start('b', 'g'),
      delta('b', '{"b"'),
      delta('a', '{"a"'),
      delta('b', ':1}'),
      delta('a', ':2}'),
    ];
    const blocks = blocksOf(
      anthropic(...steps, call('b', '{"b":1}', 'g'), call('a', '{"a":2}', 'f'), finish),
    );
    assert.deepEqual(
      blocks.map(({ name, text: said }) => [name, said]),
      [
        ['f', '{"a":2}'],
        ['g', '{"b":1}'],
      ],
    );
  });

  test('a call of a tool is the reason of the end, also where the provider says "stop"', () => {
    const events = anthropic(call('a', '{}'), finish);
    assert.equal(events.at(-2)?.delta?.stop_reason, 'tool_use');
    assert.equal(openAi(call('a', '{}'), finish).at(-1)?.choices[0]?.finish_reason, 'tool_calls');
  });
});

test('whatever a provider streams arrives whole, in blocks that open and close once', () => {
  const id = fc.constantFrom('1', '2', '3');
  const piece = fc.string({ minLength: 1, maxLength: 4 });
  const step = fc.oneof(
    fc.record({ type: fc.constantFrom('text' as const, 'reasoning' as const), id, delta: piece }),
    fc.record({ type: fc.constantFrom('text-end' as const, 'reasoning-end' as const), id }),
    fc.record({ type: fc.constant('tool-start' as const), id, name: fc.constant('f') }),
    fc.record({ type: fc.constant('tool-delta' as const), id, delta: piece }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      // What a provider that keeps to the port has said: deltas of a tool after its start, its call at the end.
      const inputs = new Map<string, string>();
      const fair = steps.filter((one) => {
        if (one.type === 'tool-start') return !inputs.has(one.id) && inputs.set(one.id, '');
        if (one.type !== 'tool-delta') return true;
        const before = inputs.get(one.id);
        if (before === undefined) return false;
        inputs.set(one.id, before + one.delta);
        return true;
      });
      const all: Step[] = [...fair, ...[...inputs].map(([key, input]) => call(key, input)), finish];
      const said = (kind: string) =>
        fair.map((one) => (one.type === kind && 'delta' in one ? one.delta : '')).join('');
      const blocks = blocksOf(anthropic(...all));
      const joined = (kind: string) => blocks.filter(({ type }) => type === kind).map((block) => block.text);
      assert.equal(joined('text').join(''), said('text'));
      assert.equal(joined('thinking').join(''), said('reasoning'));
      assert.deepEqual(joined('tool_use').sort(), [...inputs.values()].map((input) => input || '{}').sort());

      const deltas = openAi(...all).map(({ choices }) => choices[0]?.delta);
      assert.equal(deltas.map((one) => one?.content ?? '').join(''), said('text'));
      assert.equal(deltas.map((one) => one?.reasoning_content ?? '').join(''), said('reasoning'));
      const byIndex = Object.groupBy(
        deltas.flatMap((one) => one?.tool_calls ?? []),
        ({ index }) => String(index),
      );
      assert.deepEqual(
        Object.values(byIndex).map((list = []) => list.map((one) => one.function.arguments).join('')),
        [...inputs.values()].map((input) => input || '{}'),
      );
    }),
    { numRuns: 500 },
  );
});
