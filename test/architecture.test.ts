import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findFaults, type Sources } from './architecture-rules.ts';

const root = dirname(fileURLToPath(new URL('.', import.meta.url)));

function readSources(): Map<string, string> {
  const sources = new Map<string, string>();
  for (const top of ['assembly', 'server', 'browser', 'bench']) {
    for (const entry of readdirSync(`${root}/${top}`, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(ts|mjs)$/.test(entry.name)) continue;
      const path = `${entry.parentPath}/${entry.name}`;
      sources.set(path.slice(root.length + 1), readFileSync(path, 'utf8'));
    }
  }
  return sources;
}

test('the house keeps its rules', () => {
  const sources = readSources();
  assert.ok(sources.size > 50, `only ${sources.size} files were read`);
  assert.deepEqual(findFaults(sources), []);
});

// Each rule is shown to find the fault that it is there for.
const planted: [title: string, path: string, text: string, fault: RegExp][] = [
  ['base imports wire', 'server/base/x.ts', "import { a } from '../wire/y.ts';", /base may import/],
  ['wire imports core', 'server/wire/x.ts', "import { a } from '../pow/core/y.ts';", /wire may import/],
  ['core imports Node', 'server/pow/core/x.ts', "import { hash } from 'node:crypto';", /core is pure/],
  ['core imports a package', 'server/pow/core/x.ts', "import * as z from 'zod';", /core is pure/],
  [
    'core imports its service',
    'server/pow/core/x.ts',
    "import type { Gate } from '../service.ts';",
    /core may import/,
  ],
  [
    'core imports over several lines',
    'server/pow/core/x.ts',
    "import {\n  a,\n} from '../../store/y.ts';",
    /core may import/,
  ],
  [
    'a feature imports another',
    'server/chat/x.ts',
    "import { a } from '../pow/service.ts';",
    /features meet in serve/,
  ],
  [
    'a feature imports a core of another',
    'server/crawl/x.ts',
    "import { a } from '../search/core/y.ts';",
    /features meet/,
  ],
  [
    'the devices import the gate',
    'server/devices/x.ts',
    "import { createPayment } from '../pow/payment.ts';",
    /features meet in serve/,
  ],
  [
    'the pure part of the devices looks at the clock',
    'server/devices/core/x.ts',
    'const day = Date.now() / 86_400_000;',
    /time or chance/,
  ],
  ['a service imports Koa', 'server/pow/service.ts', "import Koa from 'koa';", /knows nothing of HTTP/],
  [
    'a service imports http',
    'server/pow/service.ts',
    "import { a } from '../http/body.ts';",
    /service may import/,
  ],
  [
    'a feature takes the outbound guard itself',
    'server/crawl/x.ts',
    "import { a } from '../outbound/guarded-fetch.ts';",
    /routes may import/,
  ],
  [
    'the outbound guard imports a feature',
    'server/outbound/x.ts',
    "import { a } from '../pow/service.ts';",
    /outbound may import/,
  ],
  [
    'a feature goes around the outbound guard',
    'server/crawl/x.ts',
    "import { fetch } from 'undici';",
    /through the guard/,
  ],
  ['a feature imports a store', 'server/pow/x.ts', "import { a } from '../store/y.ts';", /routes may import/],
  ['http imports a feature', 'server/http/x.ts', "import { a } from '../pow/routes.ts';", /http may import/],
  [
    'a feature imports the app',
    'server/pow/x.ts',
    "import { a } from '../http/app.ts';",
    /routes may import/,
  ],
  ['a feature imports main', 'server/pow/x.ts', "const a = await import('../main.ts');", /routes may import/],
  [
    'the layout imports anything',
    'assembly/layout.ts',
    "import { a } from './simd.ts';",
    /layout may import/,
  ],
  [
    'the browser imports a service',
    'browser/x.ts',
    "import { a } from '../server/pow/service.ts';",
    /no more/,
  ],
  [
    'the browser imports code of wire',
    'browser/x.ts',
    "import { a } from '../server/wire/pow.ts';",
    /no more/,
  ],
  ['the browser imports Node', 'browser/x.ts', "import { a } from 'node:fs';", /the browser has no Node/],
  [
    'the browser imports base with Node',
    'browser/x.ts',
    "import { a } from '../server/base/system.ts';",
    /without Node/,
  ],
  ['a file reads the environment', 'server/pow/x.ts', 'const a = process.env.A;', /reads the environment/],
  ['a file looks at the clock', 'server/pow/core/x.ts', 'const now = Date.now();', /time or chance/],
  ['a file rolls dice', 'server/pow/x.ts', 'const a = Math.random();', /time or chance/],
  ['a file reads a query by Koa', 'server/pow/x.ts', 'const { a } = ctx.query;', /ctx\.query/],
  ['a file grows', 'server/pow/x.ts', '\n'.repeat(301), /301 lines/],
  ['a drawer for everything', 'server/base/utils.ts', '', /promises nothing/],
  ['a barrel', 'server/pow/index.ts', '', /promises nothing/],
];

for (const [title, path, text, fault] of planted) {
  test(`found: ${title}`, () => {
    const sources: Sources = new Map([
      ['server/base/system.ts', "import { hash } from 'node:crypto';"],
      [path, text],
    ]);
    const faults = findFaults(sources);
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.match(faults[0], fault);
  });
}

test('left alone: what the rules allow', () => {
  const sources: Sources = new Map([
    ['server/base/network.ts', "import type { Address } from './address.ts';"],
    [
      'browser/x.ts',
      "import type { A } from '../server/wire/pow.ts';\nimport { b } from '../server/base/network.ts';",
    ],
    [
      'browser/y.ts',
      "import url from './worker.ts?worker&url';\nimport wasm from '../build/wasm/a.wasm?url';",
    ],
    [
      'server/pow/core/x.ts',
      "import { a } from '../../wire/y.ts';\nimport * as at from '../../../assembly/layout.ts';",
    ],
    ['server/main.ts', 'const env = process.env;'],
    ['assembly/generated/x.ts', '\n'.repeat(5_000)],
  ]);
  assert.deepEqual(findFaults(sources), []);
});
