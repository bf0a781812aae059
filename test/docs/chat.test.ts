import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { nodeDigest } from '../../server/base/system.ts';
import { readChatConfig } from '../../server/chat/config-file.ts';
import { readPolicy } from '../../server/pow/policy-file.ts';
import { entry, type ServerProcess, startServer } from '../e2e/server-process.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(new URL('../../docs/chat.md', import.meta.url), 'utf8');
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind, text]) => ({
  kind,
  text: String(text),
}));
const block = (kind: string, holds: string) =>
  blocks.find((one) => one.kind === kind && one.text.includes(holds))?.text ??
  assert.fail(`no ${kind} with ${holds}`);

let server: ServerProcess;
before(async () => {
  server = await startServer();
});
after(() => server.end('SIGKILL'));

test('the program of docs/chat.md runs as it stands, with both clients', async () => {
  const program = block('js', 'new OpenAI').replaceAll('http://localhost:8080', server.url);
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: root });
  assert.equal(stdout, 'Hello from the one clientHello from the other\n');
});

test('the shell lines of docs/chat.md ask, pay and get their answer', async () => {
  const [, body = ''] = /^BODY='(.*)'$/m.exec(block('sh', 'BODY=')) ?? [];
  const { stdout } = await run(process.execPath, [entry, 'solve', `${server.url}/chat`, '--data', body]);
  // A bare machine may have no curl.
  const answer = await fetch(`${server.url}/chat`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', PoW: stdout.trim() },
    body,
  });
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /"content":" shell"[\s\S]*\[DONE\]/);
});

test('the table of models and the policy of docs/chat.md are taken', () => {
  assert.equal(readChatConfig(block('json', '"thinkTag"'), () => 'a-key').size, 4);
  const [route] = readPolicy(JSON.parse(block('json', '"work"')), nodeDigest).routes;
  assert.equal(route?.work?.otherModels, 3);
});
