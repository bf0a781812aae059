/**
 * Whether a path is one of the templates (RFC 6570, level 1: `/sites/{siteId}/search`), as the router matches them:
 * without regard to case and to a slash at the end.
 */
export function createPathMatch(templates: readonly string[]): (path: string) => boolean {
  const patterns = templates.map((template) => {
    const literal = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
    return new RegExp(`^${literal.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i');
  });
  return (path) => patterns.some((pattern) => pattern.test(path));
}
