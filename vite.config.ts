import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Pages that solve as soon as they are open. */
const SOLVING_PAGES = /(verify|frame)\.html$/;

/** The worker and the build that it takes where it can: known to no page before its scripts have come and run. */
const SOLVER_FILE = /(worker-worker|solver-simd)-[^/]*\.(js|wasm)$/;

/** Lets the browser fetch the solver beside the scripts of the page, and not one after the other behind them. */
const prefetchSolver: Plugin = {
  name: 'prefetch-solver',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle = {}, filename }) {
      if (!SOLVING_PAGES.test(filename)) return [];
      const files = Object.keys(bundle).filter((file) => SOLVER_FILE.test(file));
      if (files.length !== 2) throw new Error(`expected the worker and its Wasm, got ${files.join(', ')}`);
      return files.map((file) => ({
        tag: 'link',
        attrs: { rel: 'prefetch', href: `/${file}` },
        injectTo: 'head',
      }));
    },
  },
};

// Everything a page needs is a file of ours under /pow/assets/, so that it works under `default-src 'self'`
// and does not collide with the assets of a site that the gate stands in front of.
export default defineConfig({
  root: here('browser/pages'),
  publicDir: false,
  plugins: [prefetchSolver],
  build: {
    outDir: here('build/browser'),
    emptyOutDir: true,
    target: 'es2022',
    assetsDir: 'pow/assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        home: here('browser/pages/index.html'),
        verify: here('browser/pages/verify.html'),
        captcha: here('browser/pages/captcha.html'),
        demo: here('browser/pages/demo.html'),
        bench: here('browser/pages/bench.html'),
        console: here('browser/pages/console.html'),
        frame: here('browser/pages/frame.html'),
        docs: here('browser/pages/docs.html'),
        widget: here('browser/pages/widget.html'),
      },
    },
  },
  worker: {
    format: 'es',
    // The server gives exactly this file 'wasm-unsafe-eval'.
    rolldownOptions: { output: { entryFileNames: 'pow/assets/worker-[name]-[hash].js' } },
  },
});
