import type { AddressInfo } from 'node:net';
import Koa from 'koa';

/**
 * The least that a Koa server can do: one JSON string of the given length to every request, and no middleware but that.
 * Run as `node bench/bare-koa.ts <bytes>`.
 */
const sizeBytes = Number(process.argv[2]);
const text = JSON.stringify('x'.repeat(sizeBytes - 2));

const app = new Koa();
app.use(async function answer(ctx) {
  ctx.body = text;
});
const server = app.listen(0, '127.0.0.1', () => {
  console.error(`bare Koa at http://localhost:${(server.address() as AddressInfo).port}/`);
});
