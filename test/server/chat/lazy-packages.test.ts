import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Packages of the AI SDK that a file loads as soon as it is imported itself. */
const loadedAtOnce = (text: string): string[] =>
  [
    ...text.matchAll(/^\s*(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'((?:ai|@ai-sdk\/[^']+))'/gm),
  ].map(([, name]) => name as string);

test('a server without providers loads none of their packages', () => {
  const files = globSync('server/**/*.ts', { cwd: root });
  assert.ok(files.length > 100);
  assert.deepEqual(
    files.flatMap((file) =>
      loadedAtOnce(readFileSync(`${root}/${file}`, 'utf8')).map((name) => `${file}: ${name}`),
    ),
    [],
  );
});

test('found: an import that loads at once', () => {
  assert.deepEqual(loadedAtOnce("import { streamText } from 'ai';\nimport '@ai-sdk/openai';"), [
    'ai',
    '@ai-sdk/openai',
  ]);
  assert.deepEqual(
    loadedAtOnce("import type { A } from 'ai';\nconst { b } = await import('@ai-sdk/openai');"),
    [],
  );
});
