/** The part of Trusted Types that is used, which lib.dom of TypeScript does not have everywhere. */
export type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    createScriptURL(url: string): unknown;
  };
};

/**
 * Gives a function that makes `url` fit for `new Worker` under `require-trusted-types-for 'script'`.
 *
 * One policy, named `gatehouse`, that admits exactly `ownUrl`; it is made at the first use, since a page that
 * forbids it should fail when it solves, not when it loads. Where Trusted Types are missing the URL stays text.
 * A page may load several scripts of ours, and its CSP admits one policy of a name: they share it by `ownUrl`.
 *
 * @param shared what the scripts of one page have in common
 * @throws TypeError (by the function given) for another URL, or where the page's CSP does not admit the policy
 */
export function workerUrlPolicy(
  trustedTypes: TrustedTypes | undefined,
  ownUrl: string,
  shared: Record<symbol, unknown> = {},
): (url: string) => string {
  const createScriptURL = (url: string): string => {
    if (url !== ownUrl) throw new TypeError(`worker URL: expected ${ownUrl}, got ${url}`);
    return url;
  };
  const key = Symbol.for(`gatehouse ${ownUrl}`);
  return (url) => {
    shared[key] ??= trustedTypes?.createPolicy('gatehouse', { createScriptURL }) ?? { createScriptURL };
    const policy = shared[key] as { createScriptURL(url: string): unknown };
    // A TrustedScriptURL where there are Trusted Types; `new Worker` takes it, its declaration says text.
    return policy.createScriptURL(url) as string;
  };
}
