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

const FOR_GOOD = 'public, max-age=31536000, immutable';
// Our choice: visitors of many pages ask once, and a new version is with everybody in minutes.
const FOR_MINUTES = 'public, max-age=300';

/** Scripts at an address that never changes, which pages of any origin load. */
export const SHARED_SCRIPTS = ['/pow/widget.js', '/pow/fetch.js', '/finder.js'];

type Asset = { type: string; headers: Record<string, string>; plain: Buffer; br: Buffer; gzip: Buffer };

/**
 * Serves the built files below `/pow/assets/`, and the shared scripts.
 *
 * All of them are read and compressed once, into a map by their path: no request ever reaches the disk, so none can
 * name a file outside. Names below `/pow/assets/` carry a hash of their content, so browsers keep them for good.
 */
export function createAssets(folder: string): Middleware {
  const assets = new Map<string, Asset>();
  const inside = join(folder, 'pow', 'assets');
  for (const name of readdirSync(inside)) {
    assets.set(
      `/pow/assets/${name}`,
      readAsset(join(inside, name), {
        'Content-Security-Policy': name.startsWith('worker-') ? WORKER_CSP : ASSET_CSP,
        'Cache-Control': FOR_GOOD,
        // A page that isolates itself, as the frame does, starts only workers that do so too (HTML, COEP).
        ...(name.startsWith('worker-') && { 'Cross-Origin-Embedder-Policy': 'require-corp' }),
      }),
    );
  }
  for (const path of SHARED_SCRIPTS) {
    assets.set(
      path,
      readAsset(join(folder, path), {
        'Content-Security-Policy': ASSET_CSP,
        'Cache-Control': FOR_MINUTES,
        // Pages that isolate themselves (Cross-Origin-Embedder-Policy) load nothing without it.
        'Cross-Origin-Resource-Policy': 'cross-origin',
      }),
    );
  }

  return function serveAssets(ctx, next) {
    const asset = assets.get(ctx.path);
    if (!asset || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.set(asset.headers);
    ctx.vary('Accept-Encoding');
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

function readAsset(path: string, headers: Record<string, string>): Asset {
  const plain = readFileSync(path);
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    headers: { ...headers, ETag: `"${createHash('sha256').update(plain).digest('base64url')}"` },
    plain,
    br: brotliCompressSync(plain),
    gzip: gzipSync(plain),
  };
}
