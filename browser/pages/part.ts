/**
 * The element below `root` that the HTML marks with `data-part="name"`.
 *
 * @throws Error when it is missing or of another kind: script and HTML are shipped together, so that is our bug.
 */
export function part<T extends Element>(root: ParentNode, name: string, kind: new () => T): T {
  const element = root.querySelector(`[data-part="${name}"]`);
  if (!(element instanceof kind)) throw new Error(`part: no ${kind.name} marked data-part="${name}"`);
  return element;
}
