/** The module worker. Its own response carries 'wasm-unsafe-eval', so Wasm is fetched and compiled in here. */

import { expose } from 'comlink';
import scalarUrl from '../../build/wasm/solver-scalar.wasm?url';
import simdUrl from '../../build/wasm/solver-simd.wasm?url';
import { after } from './after.ts';
import { compileWasm } from './compile-wasm.ts';
import { loadKernel } from './load-kernel.ts';
import { loadNamedKernel } from './named-kernel.ts';
import { createSolverWorker } from './solver-worker.ts';

const builds = { simd: () => compileWasm(simdUrl), scalar: () => compileWasm(scalarUrl) };

expose(createSolverWorker((only) => (only ? loadNamedKernel(builds, only) : loadKernel(builds, after))));
