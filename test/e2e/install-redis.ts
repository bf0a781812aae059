// Runs before the tests: finds a Redis server, or installs Debian's with what the machine allows.
import { spawnSync } from 'node:child_process';

const isThere = () => spawnSync('redis-server', ['--version']).status === 0;
const isRoot = process.getuid?.() === 0;
const sudo = isRoot ? [] : ['sudo', '-n'];
const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
const ways = [
  [...sudo, 'apt-get', 'update', '-qq'],
  [...sudo, 'apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'redis-server'],
];

for (const [command, ...args] of ways) {
  if (isThere()) break;
  console.log(`no redis-server yet: ${command} ${args.join(' ')}`);
  spawnSync(command, args, { stdio: 'inherit', env });
}

if (!isThere()) {
  console.error('The tests of the shared store need redis-server: install it');
  process.exit(1);
}
console.log('tests of the shared store use redis-server');
