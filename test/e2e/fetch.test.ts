import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { makeFolder } from '../temporary-folder.ts';
import { launchChromium } from './chromium.ts';
import { type HostSite, startHostSite } from './host-site.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const { folder, remove } = makeFolder();

let server: ServerProcess;
let site: HostSite;
before(async () => {
  const policy = join(folder, 'policy.json');
  const routes = [
    { id: 'pages', paths: ['/demo/*'] },
    { id: 'calls', paths: ['/widget/'], methods: ['POST'], passport_ttl_secs: 0 },
  ];
  writeFileSync(policy, JSON.stringify({ defaults: { difficulty_bits: 10 }, routes }));
  site = await startHostSite();
  server = await startServer({
    GATE_POLICY: policy,
    ALLOWED_ORIGINS: site.url,
    THROTTLE_CHALLENGE: '10000/60',
  });
});
after(async () => {
  await server.end('SIGKILL');
  site.close();
  remove();
});

/** Asked of a page and of a program alike: what each answers with a fetch that pays. */
const STORY = `async (payingFetch, gate) => {
  const headers = { Accept: 'application/json' };
  const pages = await Promise.all([1, 2, 3].map(() => payingFetch(gate + '/demo/', { headers })));
  const admitted = await Promise.all(pages.map(async (page) => (await page.json()).how));
  const call = await payingFetch(gate + '/widget/', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', Authorization: 'Bearer of-somebody' },
    body: JSON.stringify({ 'pow-response': 'not one' }),
  });
  const missing = await payingFetch(gate + '/nowhere', { headers });
  return { admitted, call: [call.status, (await call.json())['error-codes'][0]], missing: missing.status };
}`;

const EXPECTED = { call: [422, 'invalid-input-response'], missing: 404 };

describe('a program', () => {
  test('that has the package installed pays at the gate, whatever lies around it', async () => {
    // As npm installs it; its dependencies are left out, so that the test needs no network and shows that none is used.
    const npm = process.env.npm_execpath;
    const [command, ...first] = npm ? [process.execPath, npm] : ['npm'];
    const packed = await run(
      command as string,
      [...first, 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder],
      { cwd: root },
    );
    const project = join(folder, 'project');
    const installed = join(project, 'node_modules', 'gatehouse');
    mkdirSync(installed, { recursive: true });
    const tarball = join(folder, packed.stdout.trim().split('\n').at(-1) as string);
    await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
    const program = join(project, 'program.mjs');
    writeFileSync(
      program,
      `import { createGateFetch, SessionError } from 'gatehouse/fetch';
      if (typeof SessionError !== 'function') throw new Error('no SessionError');
      const story = ${STORY};
      console.log(JSON.stringify(await story(createGateFetch(), process.argv[2])));`,
    );
    const { stdout } = await run(process.execPath, [program, server.url]);
    assert.deepEqual(JSON.parse(stdout), { ...EXPECTED, admitted: ['passport', 'passport', 'passport'] });
  });

  test('finds the types of the package true to its code', async () => {
    const check = join(folder, 'types.ts');
    const here = (path: string) => JSON.stringify(join(root, path));
    writeFileSync(
      check,
      `import type * as declared from ${here('browser/fetch/fetch.d.ts')};
      import * as page from ${here('browser/fetch/page-fetch.ts')};
      import * as program from ${here('browser/fetch/program-fetch.ts')};
      export const both: (typeof declared)[] = [page, program];
      export const back: typeof program[] = [] as (typeof declared)[];
      export const fault: typeof declared = { ...page, createGateFetch: 1 };`,
    );
    const config = join(folder, 'tsconfig.json');
    writeFileSync(
      config,
      JSON.stringify({
        extends: join(root, 'tsconfig.browser.json'),
        compilerOptions: {
          typeRoots: [join(root, 'node_modules/@types')],
          types: ['node', join(root, 'node_modules/vite/client')],
        },
        include: [check],
      }),
    );
    const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', config]).catch(
      (error) => error as { stdout: string },
    );
    const faults = stdout.split('\n').filter((line) => line.includes('error'));
    assert.equal(faults.length, 1, stdout);
    assert.match(faults[0] as string, /types\.ts\(6,/);
  });
});

describe('a page', () => {
  let browser: Browser;
  before(async () => {
    browser = await launchChromium();
  });
  after(() => browser.close());

  /** Runs the story on a page at this address, with the script of the gate. */
  async function tell(url: string): Promise<unknown> {
    const page = await browser.newPage();
    try {
      await page.goto(url);
      return await page.evaluate(
        `(async () => {
          const { createGateFetch } = await import('${server.url}/pow/fetch.js');
          return (${STORY})(createGateFetch(), '${server.url}');
        })()`,
      );
    } finally {
      await page.close();
    }
  }

  test('of the same origin wins a passport, under our own strict policy', async () => {
    assert.deepEqual(await tell(`${server.url}/`), {
      ...EXPECTED,
      admitted: ['passport', 'passport', 'passport'],
    });
  });

  test('of an allowed origin sends a proof with each request', async () => {
    assert.deepEqual(await tell(site.put({ body: '' })), {
      ...EXPECTED,
      admitted: ['request', 'request', 'request'],
    });
  });

  test('loads fetch and widget beside each other, though its policy admits one of a name', async () => {
    const page = await browser.newPage();
    await page.goto(`${server.url}/widget/`);
    await page.waitForFunction(
      () => (document.querySelector('pow-gate') as { state?: string } | null)?.state === 'solved',
    );
    const status = await page.evaluate(async () => {
      const own: string = '/pow/fetch.js';
      const { createGateFetch } = await import(own);
      const answer = await createGateFetch()('/widget/', {
        method: 'POST',
        headers: { Accept: 'application/json' },
        body: new URLSearchParams(),
      });
      return answer.status;
    });
    assert.equal(status, 422);
    await page.close();
  });
});
