/**
 * Fetches and compiles a Wasm file of ours.
 *
 * Not by `compileStreaming`: that fails where a server in between has lost the MIME type, and gains nothing on 16 kB.
 *
 * @throws Error when the file does not come, or what a CSP without 'wasm-unsafe-eval' makes `compile` throw
 */
export async function compileWasm(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: expected 200, got ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}
