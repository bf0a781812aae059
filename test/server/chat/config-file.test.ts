import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ChatConfigError, readChatConfig } from '../../../server/chat/config-file.ts';

const folder = new URL('configs/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8');
const env: Record<string, string> = {
  OPENAI_API_KEY: 'sk-of-openai',
  ANTHROPIC_API_KEY: 'sk-ant',
  GOOGLE_API_KEY: 'AIza',
  BROKEN_KEY: 'sk-of-two\nlines',
};
const lookUp = (name: string) => env[name];

function faultsOf(text: string): readonly string[] {
  try {
    readChatConfig(text, lookUp);
  } catch (error) {
    assert.ok(error instanceof ChatConfigError);
    return error.faults;
  }
  return [];
}

for (const file of readdirSync(new URL('good/', folder))) {
  test(`${file} is taken`, () => assert.deepEqual(faultsOf(read(`good/${file}`)), []));
}

for (const file of readdirSync(new URL('bad/', folder))) {
  test(`${file} is refused with reasons that hold no key`, () => {
    const faults = faultsOf(read(`bad/${file}`));
    assert.ok(faults.length > 0);
    for (const fault of faults) {
      assert.match(fault, /^.+: ./);
      for (const key of [...Object.values(env), 'sk-123']) assert.ok(!fault.includes(key));
    }
  });
}

test('text that is no JSON is refused', () => assert.match(faultsOf('{')[0] ?? '', /^file: expected JSON/));

test('every fault of a file is told at once, each with its place', () => {
  const faults = faultsOf(read('bad/every-fault.json'));
  for (const place of [
    'file',
    'models.no provider',
    'models.no provider.provider',
    'models.a.provider',
    'models.b.apiKeyEnv',
    'models.c.apiKeyEnv',
    'models.d.baseURL',
    'models.e.baseURL',
    'models.f.baseURL',
    'models.g',
    'models.h.apiKeyEnv',
    'models.i.apiKeyEnv',
    'models.j.model',
    'models.k.thinkTag',
    'models.l',
  ]) {
    assert.ok(
      faults.some((fault) => fault.startsWith(`${place}: `)),
      `${place} in:\n${faults.join('\n')}`,
    );
  }
});

test('a row has the address of its provider, the key of the environment, and its own name where no other is given', () => {
  const table = readChatConfig(read('good/one-of-each.json'), lookUp);
  assert.deepEqual(table.get('gpt-5'), {
    name: 'gpt-5',
    provider: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    apiKey: 'sk-of-openai',
    model: 'gpt-5',
    thinkTag: null,
  });
  const local = table.get('qwen/qwen3:8b');
  assert.deepEqual([local?.apiKey, local?.model, local?.thinkTag], [null, 'qwen/qwen3:8b', 'think']);
  const other = readChatConfig(read('good/other-address.json'), lookUp).get('fast');
  assert.equal(other?.baseUrl, 'https://llm.example.org/v1');
});
