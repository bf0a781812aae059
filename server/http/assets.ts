import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Middleware } from 'koa';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

// The solver's worker is the one script that may compile Wasm; pages themselves may not.
const WORKER_CSP = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const ASSET_CSP = "default-src 'none'; sandbox";

type Asset = { type: string; csp: string; etag: string; plain: Buffer; br: Buffer; gzip: Buffer };

/**
 * Serves the built files below `/pow/assets/`.
 *
 * All of them are read and compressed once, into a map by their path: no request ever reaches the disk, so none can
 * name a file outside. Their names carry a hash of their content, so browsers keep them for good.
 */
export function createAssets(folder: string): Middleware {
  const assets = new Map<string, Asset>();
  const inside = join(folder, 'pow', 'assets');
  for (const name of readdirSync(inside)) {
    const plain = readFileSync(join(inside, name));
    assets.set(`/pow/assets/${name}`, {
      type: TYPES[extname(name)] ?? 'application/octet-stream',
      csp: name.startsWith('worker-') ? WORKER_CSP : ASSET_CSP,
      etag: `"${createHash('sha256').update(plain).digest('base64url')}"`,
      plain,
      br: brotliCompressSync(plain),
      gzip: gzipSync(plain),
    });
  }

  return async function serveAssets(ctx, next) {
    const asset = assets.get(ctx.path);
    if (!asset || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.set('Content-Security-Policy', asset.csp);
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.vary('Accept-Encoding');
    ctx.etag = asset.etag;
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    // Asked one by one, since browsers name gzip before the smaller br.
    const encoding = (['br', 'gzip'] as const).find(
      (candidate) => ctx.acceptsEncodings(candidate) === candidate,
    );
    if (encoding) ctx.set('Content-Encoding', encoding);
    ctx.body = asset[encoding ?? 'plain'];
    ctx.type = asset.type;
  };
}
