import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Scripts at an address that never changes, each one file, so that a kept copy asks for no other that is gone. */
const SCRIPTS = {
  /** The form widget. */
  widget: { input: 'browser/widget/widget.ts', file: 'pow/widget.js', outDir: 'build/browser' },
  /** The search bar. */
  finder: { input: 'browser/finder/finder.ts', file: 'finder.js', outDir: 'build/browser' },
  /** `fetch` for pages. */
  fetch: { input: 'browser/fetch/page-fetch.ts', file: 'pow/fetch.js', outDir: 'build/browser' },
  /** `fetch` for programs, the solver's Wasm inside: Node strips no types below node_modules. */
  program: { input: 'browser/fetch/program-fetch.ts', file: 'fetch.js', outDir: 'build/program' },
};

/** One script a run, chosen by `--mode`. */
export default defineConfig(({ mode }) => {
  const script = SCRIPTS[mode as keyof typeof SCRIPTS];
  const isProgram = mode === 'program';
  return {
    root: here('browser'),
    publicDir: false,
    build: {
      outDir: here(script.outDir),
      // The pages were built there before.
      emptyOutDir: false,
      target: 'es2022',
      // As it is written: what a browser does not know stands behind @supports.
      cssTarget: ['chrome130', 'firefox130', 'safari18'],
      assetsDir: 'pow/assets',
      assetsInlineLimit: isProgram ? Number.POSITIVE_INFINITY : 0,
      modulePreload: false,
      minify: !isProgram,
      rolldownOptions: {
        input: here(script.input),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: script.file },
      },
    },
    worker: {
      format: 'es',
      rolldownOptions: { output: { entryFileNames: 'pow/assets/worker-[name]-[hash].js' } },
    },
  };
});
