// Runs before the tests: finds nginx and Caddy, or installs them with what the machine allows.
import { spawnSync } from 'node:child_process';
import { findProxy } from './proxies.ts';

const isRoot = process.getuid?.() === 0;
const sudo = isRoot ? [] : ['sudo', '-n'];
const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
const isMissing = (name: 'nginx' | 'caddy') => findProxy(name) === null;
const run = ([command, ...args]: string[]) => spawnSync(command, args, { stdio: 'inherit', env });

const missing = (['nginx', 'caddy'] as const).filter(isMissing);
if (missing.length > 0) {
  console.log(`missing: ${missing.join(', ')}`);
  run([...sudo, 'apt-get', 'update', '-qq']);
  // One by one: a machine that has no package of the one may have the other.
  for (const name of missing)
    run([...sudo, 'apt-get', 'install', '-y', '-qq', '--no-install-recommends', name]);
}

if (isMissing('nginx')) {
  console.error('The tests of the documented configurations need nginx: install it');
  process.exit(1);
}
console.log(`proxy tests use ${findProxy('nginx')} and ${findProxy('caddy') ?? 'no Caddy'}`);
