import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { tellBehindProxy } from './behind-proxy.ts';
import { documented, findProxy, startProxy } from './proxies.ts';

const caddy = findProxy('caddy');

describe('behind Caddy, as documented', { skip: caddy ? false : 'no Caddy on this machine' }, () => {
  tellBehindProxy({
    async start({ port, gatehousePort, sitePort, folder }) {
      const config = join(folder, 'Caddyfile');
      const site = documented('caddyfile', {
        'www.example.org {': `http://:${port} {\n\tbind 127.0.0.1`,
        '127.0.0.1:8080': `127.0.0.1:${gatehousePort}`,
        '127.0.0.1:3000': `127.0.0.1:${sitePort}`,
      });
      writeFileSync(config, `{\n\tadmin off\n\tauto_https off\n}\n${site}`);
      return startProxy(caddy as string, ['run', '--adapter', 'caddyfile', '--config', config], port, {
        HOME: folder,
      });
    },
    statusWithoutGatehouse: 502,
  });
});
