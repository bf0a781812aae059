import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { IndexBackend, IndexPage } from '../../server/search/core/ports.ts';
import { makePage, request } from '../index-pages.ts';
import { openIndex } from '../open-index.ts';
import { makeFolder } from '../temporary-folder.ts';

const writerPath = fileURLToPath(new URL('./index-writer-process.ts', import.meta.url));

/** Kills a writing process `rounds` times in the middle of its work, and holds what is left to what it had acknowledged. */
export async function killWhileWriting(
  rounds: number,
  linesBeforeKill: (round: number) => number,
): Promise<void> {
  const { folder, remove } = makeFolder();
  const state = new Map<string, 'put' | 'replaced' | 'removed'>();
  try {
    for (let round = 0; round < rounds; round++) {
      const lines = await writeAndKill(folder, round, linesBeforeKill(round));
      for (const line of lines) {
        const [verb, ...names] = line.split(' ');
        for (const name of names)
          state.set(name, verb === 'put' ? 'put' : verb === 'replace' ? 'replaced' : 'removed');
      }
      const { index, close } = await openIndex({ folder });
      await checkState(index, state);
      await checkAgainstRebuilt(index);
      await close();
    }
  } finally {
    remove();
  }
  assert.ok(state.size > rounds, `only ${state.size} pages were acknowledged`);
}

function writeAndKill(folder: string, round: number, linesBeforeKill: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [writerPath, folder, String(round)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
      if (output.split('\n').length > linesBeforeKill) child.kill('SIGKILL');
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      errors += chunk;
    });
    child.on('error', reject);
    child.on('close', (_code, signal) => {
      if (signal !== 'SIGKILL') reject(new Error(`the writer ended by itself: ${errors}`));
      // A line without its end was not acknowledged whole.
      else resolve(output.split('\n').slice(0, -1));
    });
  });
}

async function checkState(index: IndexBackend, state: ReadonlyMap<string, string>): Promise<void> {
  // What the last line acknowledged may have been changed again by a write that was on its way.
  const names = [...state.keys()];
  for (const name of names.slice(0, -4)) {
    const page = await index.get('site', makePage(name).id);
    if (state.get(name) === 'removed') assert.equal(page, null, `${name} was removed and is there`);
    else assert.equal(page?.title, `title ${name}`, `${name} was acknowledged and is lost`);
    if (state.get(name) === 'replaced') assert.equal(page?.body, 'pear replaced');
  }
}

/** Every query gives what an index made from the same pages at once gives. */
async function checkAgainstRebuilt(index: IndexBackend): Promise<void> {
  const pages: IndexPage[] = [];
  for (const { id } of await index.list('site', null, 1_000_000)) {
    const page = await index.get('site', id);
    assert.ok(page);
    pages.push(page);
  }
  const rebuilt = await openIndex();
  await rebuilt.index.put('site', pages, 1_000_000);
  assert.equal((await index.size('site')).pages, pages.length);
  for (const query of [
    'apple ',
    'pear ',
    'word7 ',
    '"apple word1"',
    'version2 -word3',
    'titel ',
    'wor',
    'replaced',
  ]) {
    const both = await Promise.all(
      [index, rebuilt.index].map(async (one) => {
        const { total, hits } = await one.search('site', request(query, { limit: 100_000 }));
        return { total, found: hits.map(({ page, score }) => `${page.id} ${score.toFixed(6)}`).sort() };
      }),
    );
    assert.deepEqual(both[0], both[1], query);
  }
  await rebuilt.close();
}
