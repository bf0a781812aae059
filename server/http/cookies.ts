/**
 * The values of every cookie called `name`, in the order of the header (RFC 6265 §5.4: several may carry one name).
 * Koa's reader gives the first only, and the first may be a stale one of a parent domain.
 */
export function cookieValues(header: string, name: string, most: number): string[] {
  const values: string[] = [];
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue;
    values.push(pair.slice(equals + 1).trim());
    if (values.length === most) break;
  }
  return values;
}
