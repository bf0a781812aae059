import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { pathReadings } from '../../server/pow/core/path-readings.ts';
import { createTestApp } from '../test-app.ts';

const piece = fc.constantFrom(
  ...[
    '/',
    '//',
    '.',
    '..',
    '/../',
    '/./',
    '\\',
    ';',
    ';a=b',
    '#',
    'x',
    'demo',
    'DEMO',
    'd',
    'emo',
    '/demo/',
    ' ',
  ],
  ...[
    '%2f',
    '%5C',
    '%2e',
    '%2E%2e',
    '%64',
    '%00',
    '%09',
    '%3b',
    '%3f',
    '%23',
    '%20',
    '%25',
    '%252f',
    '%252e',
    '%',
  ],
);
const target = fc.array(piece, { minLength: 1, maxLength: 9 }).map((parts) => `/${parts.join('')}`);

/** How different software finds a path in a target; each throws or gives null where it would refuse. */
const UPSTREAMS: Record<string, (target: string) => string | null> = {
  'Express, and what takes it as it is': (text) => text.split(/[?#]/)[0],
  'Node with the URL parser': (text) => new URL(text, 'http://localhost').pathname,
  'the URL parser, then decoded': (text) => decodeURIComponent(new URL(text, 'http://localhost').pathname),
  'the URL parser, decoded, then the URL parser again': (text) => {
    const first = decodeURIComponent(new URL(text, 'http://localhost').pathname);
    return decodeURIComponent(new URL(first, 'http://localhost').pathname);
  },
  'decoded, then resolved': (text) => posix.normalize(decodeURIComponent(text.split('?')[0])),
  'resolved, then decoded': (text) => decodeURIComponent(posix.normalize(text.split('?')[0])),
  'decoded twice': (text) => posix.normalize(decodeURIComponent(decodeURIComponent(text.split('?')[0]))),
  'backslashes as slashes': (text) =>
    posix.normalize(decodeURIComponent(text.split('?')[0]).replaceAll('\\', '/')),
  'a servlet container': (text) =>
    posix.normalize(decodeURIComponent(text.split('?')[0].replace(/;[^/]*/g, ''))),
  'a C text': (text) => posix.normalize(decodeURIComponent(text.split('?')[0]).split('\0')[0]),
};

const isDemo = (path: string) => /^\/+demo(\/|$)/i.test(path);

test('whatever some upstream takes for a gated path is gated', async () => {
  const { request } = createTestApp({ trustedProxies: ['127.0.0.1'] });
  const reached = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(target, async (uri) => {
      const answer = await request({ url: '/pow/auth', headers: { 'x-original-uri': uri } });
      assert.ok([204, 401].includes(answer.statusCode), `${uri} gave ${answer.statusCode}`);
      for (const [name, read] of Object.entries(UPSTREAMS)) {
        let path: string | null = null;
        try {
          path = read(uri);
        } catch {
          continue;
        }
        if (path === null || !isDemo(path)) continue;
        reached.set(name, (reached.get(name) ?? 0) + 1);
        assert.equal(answer.statusCode, 401, `${JSON.stringify(uri)} is ${path} for: ${name}`);
      }
    }),
    { numRuns: 3_000 },
  );
  // The property would hold of targets that reach nothing, too.
  for (const name of Object.keys(UPSTREAMS))
    assert.ok((reached.get(name) ?? 0) > 50, `${name}: ${reached.get(name)}`);
});

test('what our own gate asks a proof for, or refuses to read, forward-auth does not let by', async () => {
  const { request } = createTestApp({ trustedProxies: ['127.0.0.1'] });
  await fc.assert(
    fc.asyncProperty(target, async (uri) => {
      // The in-process requests go through the URL parser.
      fc.pre(URL.canParse(uri, 'http://localhost'));
      if ((await request({ url: uri, headers: { accept: 'application/json' } })).statusCode !== 401) return;
      const answer = await request({ url: '/pow/auth', headers: { 'x-original-uri': uri } });
      assert.equal(answer.statusCode, 401, uri);
    }),
    { numRuns: 1_000 },
  );
});

test('a reading is a path also where a letter stands for a slash', () => {
  for (const text of ['\uff0f', '\\x', '//x', '/\uff0fx\uff0f']) {
    assert.ok(
      pathReadings(text)?.every((path) => path.startsWith('/')),
      text,
    );
  }
});

test('a target of any characters is read, in bounded many ways', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (text) => {
      const readings = pathReadings(text);
      assert.ok(readings === null || (readings.length > 0 && readings.length <= 64));
      assert.ok(readings?.every((path) => path.startsWith('/')) ?? true);
    }),
  );
});
