import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { type Scene, tellBehindProxy } from './behind-proxy.ts';
import { documented, findProxy, startProxy } from './proxies.ts';

/** What stands around the documented text in a file of nginx, kept in one folder and without a second user. */
function configOf({ port, gatehousePort, sitePort, folder }: Scene): string {
  const servers = documented('nginx', {
    'server 127.0.0.1:8080;': `server 127.0.0.1:${gatehousePort};`,
    'server 127.0.0.1:3000;': `server 127.0.0.1:${sitePort};`,
    'listen 443 ssl;': `listen 127.0.0.1:${port};`,
    'ssl_certificate /etc/ssl/example.pem;': '',
    'ssl_certificate_key /etc/ssl/example.key;': '',
  });
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

describe('behind nginx, as documented', () => {
  tellBehindProxy({
    async start(scene) {
      const nginx = findProxy('nginx');
      if (!nginx) throw new Error('no nginx: run node test/e2e/install-proxies.ts');
      const config = join(scene.folder, 'nginx.conf');
      mkdirSync(join(scene.folder, 'client_body'));
      writeFileSync(config, configOf(scene));
      return startProxy(nginx, ['-e', 'stderr', '-p', scene.folder, '-c', config], scene.port);
    },
    statusWithoutGatehouse: 500,
  });
});
