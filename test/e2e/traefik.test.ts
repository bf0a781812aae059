import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { tellBehindProxy } from './behind-proxy.ts';
import { documented, findProxy, startProxy } from './proxies.ts';

// Neither npm nor Debian has it, so it is on few machines.
const traefik = findProxy('traefik');

describe('behind Traefik, as documented', { skip: traefik ? false : 'no traefik in PATH' }, () => {
  tellBehindProxy({
    async start({ port, gatehousePort, sitePort, folder }) {
      const config = join(folder, 'gatehouse.yaml');
      const dynamic = documented('yaml', {
        'Host(`www.example.org`)': '(Host(`127.0.0.1`) || Host(`localhost`))',
        'http://127.0.0.1:8080': `http://127.0.0.1:${gatehousePort}`,
        'http://127.0.0.1:3000': `http://127.0.0.1:${sitePort}`,
      });
      writeFileSync(config, dynamic);
      return startProxy(
        traefik as string,
        [
          `--entryPoints.web.address=127.0.0.1:${port}`,
          `--providers.file.filename=${config}`,
          '--log.level=DEBUG',
        ],
        port,
      );
    },
    statusWithoutGatehouse: 500,
    questionReaches: 'site',
  });
});
