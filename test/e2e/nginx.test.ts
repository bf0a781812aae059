import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { makeFolder } from '../temporary-folder.ts';
import { type Scene, tellBehindProxy } from './behind-proxy.ts';
import { documented, findPort, findProxy, startProxy } from './proxies.ts';
import { startServer } from './server-process.ts';

/** What stands around the documented text in a file of nginx, kept in one folder and without a second user. */
function configOf(servers: string, folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `
    daemon off;
    master_process off;
    pid ${folder}/nginx.pid;
    error_log stderr;
    events {}
    http { access_log off; ${temporary.join(' ')} ${servers} }`;
}

const common = ({ port, gatehousePort }: Scene) => ({
  'server 127.0.0.1:8080;': `server 127.0.0.1:${gatehousePort};`,
  'listen 443 ssl;': `listen 127.0.0.1:${port};`,
  'ssl_certificate /etc/ssl/example.pem;': '',
  'ssl_certificate_key /etc/ssl/example.key;': '',
});

async function startNginx(scene: Scene, servers: string) {
  const nginx = findProxy('nginx');
  if (!nginx) throw new Error('no nginx: run node test/e2e/install-proxies.ts');
  const config = join(scene.folder, 'nginx.conf');
  mkdirSync(join(scene.folder, 'client_body'));
  writeFileSync(config, configOf(servers, scene.folder));
  return startProxy(nginx, ['-e', 'stderr', '-p', scene.folder, '-c', config], scene.port);
}

describe('behind nginx, as documented', () => {
  tellBehindProxy({
    start: (scene) =>
      startNginx(
        scene,
        documented('nginx', {
          ...common(scene),
          'server 127.0.0.1:3000;': `server 127.0.0.1:${scene.sitePort};`,
        }),
      ),
    statusWithoutGatehouse: 500,
  });
});

test('a host name of its own, as documented: large bodies pass, and no secret comes into the log', async () => {
  const { folder, remove } = makeFolder();
  const gatehouse = await startServer({ TRUSTED_PROXIES: '127.0.0.1', THROTTLE_SITES: '1/3600' });
  const scene = { port: await findPort(), gatehousePort: gatehouse.port, sitePort: 0, folder };
  const log = join(folder, 'access.log');
  const servers = documented(
    'nginx',
    { ...common(scene), '/var/log/nginx/gatehouse.log': log },
    /gate\.example\.org/,
  );
  const nginx = await startNginx(scene, servers);
  const url = `http://127.0.0.1:${scene.port}`;
  const { siteId, siteSecret } = await (await fetch(`${url}/sites`, { method: 'POST' })).json();
  // Larger than nginx's own limit by far.
  const pages = Array.from({ length: 12 }, (_, i) => ({
    title: `Page ${i}`,
    body: 'word '.repeat(200_000),
    url: `https://example.org/${i}`,
  }));
  const put = await fetch(`${url}/sites/${siteId}/pages?siteSecret=${siteSecret}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(pages),
  });
  assert.equal(put.status, 200);
  assert.equal((await (await fetch(`${url}/sites/${siteId}/search?query=word`)).json()).total, 12);
  // The visitor is the one that nginx saw, whatever is claimed.
  const headers = { 'x-forwarded-for': '203.0.113.1' };
  assert.equal((await (await fetch(`${url}/whois.json`, { headers })).json()).ip, '127.0.0.1');
  await nginx.end();
  await gatehouse.end('SIGKILL');
  const logged = readFileSync(log, 'utf8');
  assert.match(logged, new RegExp(`"PUT /sites/${siteId}/pages" 200 `));
  assert.ok(!logged.includes(siteSecret));
  remove();
});
