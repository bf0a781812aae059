import { posix } from 'node:path';

/** The source files of the project: path from the root, with `/`, to text. */
export type Sources = ReadonlyMap<string, string>;

// Our choice: a file above this holds more than one idea. Generated code is exempt, since nobody reads it for ideas.
const MOST_LINES = 300;

const FEATURES = ['access', 'pow', 'search', 'crawl', 'ip', 'chat', 'console', 'devices', 'docs'];
// Constants alone, compiled by asc and by tsc: the solver's Wasm and its JavaScript share them.
const SHARED_CONSTANTS = ['layout', 'status', 'slots', 'round-constants'].map(
  (name) => `assembly/${name}.ts`,
);

const VAGUE_NAMES = /(^|[/-])(utils?|helpers?|common|misc|managers?|index)(\.|\/|$)/;

type Import = { from: string; to: string; isTypeOnly: boolean };

/** Everything that breaks a rule of the house, one line each. */
export function findFaults(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => [
    ...importsOf(path, text).flatMap((imported) => {
      const reason = refuseImport(imported, sources);
      return reason ? [`${path} imports ${imported.to}: ${reason}`] : [];
    }),
    ...refuseFile(path, text).map((reason) => `${path}: ${reason}`),
  ]);
}

function refuseFile(path: string, text: string): string[] {
  const reasons: string[] = [];
  const isGenerated = path.includes('/generated/');
  const lines = text.split('\n').length - 1;
  if (!isGenerated && lines > MOST_LINES) reasons.push(`${lines} lines, expected at most ${MOST_LINES}`);
  if (VAGUE_NAMES.test(path)) reasons.push('a name that promises nothing');
  const isEntry = path === 'server/main.ts' || path === 'server/gatehouse.mjs';
  if (path.startsWith('server/') && !isEntry && /\bprocess\.env\b/.test(text)) {
    reasons.push('reads the environment, which is for main.ts');
  }
  const isSystem = path === 'server/base/system.ts';
  if (
    path.startsWith('server/') &&
    !isSystem &&
    /\b(Date\.now|Math\.random|new Date\(\)|performance\.now)\b/.test(text)
  ) {
    reasons.push('takes time or chance from the world instead of a port');
  }
  if (path.startsWith('server/') && /\bctx\.query\b/.test(withoutComments(text))) {
    reasons.push("reads a query by Koa's ctx.query, which is slow to the square: readQuery does it");
  }
  return reasons;
}

const withoutComments = (text: string) => text.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '');

/** Why this import points the wrong way, or null. */
function refuseImport({ from, to, isTypeOnly }: Import, sources: Sources): string | null {
  const isPackage = !to.includes('/') || /^(node:|@|[a-z][a-z0-9.-]*\/)/.test(to);
  const target = areaOf(to);
  const area = areaOf(from);

  if (from.startsWith('server/') && to === 'undici' && area.kind !== 'outbound')
    return 'requests to others go through the guard of server/outbound';

  if (area.kind === 'core') {
    if (to.startsWith('node:') || (isPackage && target.kind === 'package'))
      return 'core is pure: no Node, no packages';
  }
  if (area.kind === 'service' && /^(koa|@koa\/|lmdb|node:http)/.test(to))
    return 'a service knows nothing of HTTP or LMDB';
  if (target.kind === 'package') {
    return area.kind === 'browser' && to.startsWith('node:') ? 'the browser has no Node' : null;
  }

  if (area.kind === 'browser') {
    if (target.kind === 'browser' || target.kind === 'layout' || target.kind === 'build') return null;
    if (target.kind === 'base') {
      return importsNode(to, sources) ? 'the browser may use base files without Node only' : null;
    }
    return target.kind === 'wire' && isTypeOnly
      ? null
      : 'the browser takes types from wire, code from base, and no more';
  }

  const isOwn = area.feature !== null && area.feature === target.feature;
  if (area.feature !== null && target.feature !== null && !isOwn)
    return 'features meet in serve.ts, not in each other';
  if (area.kind === 'bench') return null;
  const allowed = MAY_IMPORT[area.kind];
  return allowed.includes(target.kind) ? null : `${area.kind} may import ${allowed.join(', ')}`;
}

type Kind =
  | 'layout'
  | 'assembly'
  | 'base'
  | 'wire'
  | 'core'
  | 'store'
  | 'outbound'
  | 'service'
  | 'routes'
  | 'http'
  | 'app'
  | 'main'
  | 'browser'
  | 'build'
  | 'bench'
  | 'package'
  | 'other';

// What each kind of file may import, itself included. The arrow of the design, read from the right.
const MAY_IMPORT: Record<Kind, readonly Kind[]> = {
  layout: [],
  assembly: ['assembly', 'layout'],
  base: ['base', 'layout'],
  wire: ['wire', 'base', 'layout'],
  core: ['core', 'wire', 'base', 'layout'],
  store: ['store', 'core', 'wire', 'base', 'layout'],
  outbound: ['outbound', 'base'],
  service: ['service', 'core', 'wire', 'base', 'layout'],
  routes: ['routes', 'service', 'http', 'core', 'wire', 'base', 'layout'],
  http: ['http', 'wire', 'base', 'layout'],
  app: ['http', 'routes', 'service', 'core', 'wire', 'base'],
  // The command line solves with the browser's kernel.
  main: ['browser', 'main', 'app', 'http', 'routes', 'service', 'store', 'outbound', 'core', 'wire', 'base'],
  browser: [],
  build: [],
  bench: [],
  package: [],
  other: [],
};

function areaOf(path: string): { kind: Kind; feature: string | null } {
  const plain = (kind: Kind) => ({ kind, feature: null });
  const [top, second = '', third] = path.split('/');
  if (SHARED_CONSTANTS.includes(path)) return plain('layout');
  if (top === 'assembly' || top === 'browser' || top === 'build' || top === 'bench') return plain(top);
  if (top !== 'server') return plain('package');
  if (path === 'server/http/app.ts') return plain('app');
  if (
    second === 'base' ||
    second === 'wire' ||
    second === 'store' ||
    second === 'http' ||
    second === 'outbound'
  ) {
    return plain(second);
  }
  if (FEATURES.includes(second)) {
    const kind = third === 'core' ? 'core' : third === 'service.ts' ? 'service' : 'routes';
    return { kind, feature: second };
  }
  // main.ts, config.ts, gatehouse.mjs
  return plain(third === undefined ? 'main' : 'other');
}

function importsNode(path: string, sources: Sources): boolean {
  return importsOf(path, sources.get(path) ?? '').some(
    ({ to, isTypeOnly }) =>
      !isTypeOnly && (to.startsWith('node:') || (areaOf(to).kind !== 'package' && importsNode(to, sources))),
  );
}

const IMPORT = /^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm;

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, specifier, dynamic]) => {
    const name = (specifier ?? dynamic).replace(/\?.*$/, '');
    const to = name.startsWith('.') ? posix.join(posix.dirname(path), name) : name;
    return { from: path, to, isTypeOnly: type !== undefined };
  });
}
