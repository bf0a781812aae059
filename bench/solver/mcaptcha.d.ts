declare module '@mcaptcha/pow-wasm/pow_wasm_bg.js' {
  export function __wbg_set_wasm(exports: WebAssembly.Exports): void;
  export function gen_pow(salt: string, phrase: string, difficultyFactor: number): string;
}
