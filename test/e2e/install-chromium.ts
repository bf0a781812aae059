// Runs before the tests: finds a Chromium, or installs one with what the machine allows.
import { spawnSync } from 'node:child_process';
import { findChromium } from './chromium.ts';

const isRoot = process.getuid?.() === 0;
const sudo = isRoot ? [] : ['sudo', '-n'];
const ways = [
  [...sudo, 'apt-get', 'update', '-qq'],
  [...sudo, 'apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium'],
  ['npx', 'playwright-core', 'install', 'chromium'],
];

for (const [command, ...args] of ways) {
  if (findChromium()) break;
  console.log(`no Chromium yet: ${command} ${args.join(' ')}`);
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

const found = findChromium();
if (!found) {
  console.error('The browser tests need Chromium: install it, or name it with CHROMIUM=/path/to/chromium');
  process.exit(1);
}
console.log(`browser tests use ${found}`);
