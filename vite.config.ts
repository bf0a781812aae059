import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Everything a page needs is a file of ours under /pow/assets/, so that it works under `default-src 'self'`
// and does not collide with the assets of a site that the gate stands in front of.
export default defineConfig({
  root: here('browser/pages'),
  publicDir: false,
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
