/** What a gate asks for, by the `WWW-Authenticate` of its 401. */
export type Refusal = {
  /** Policy id of the route; undefined where any passport would do. */
  route: string | undefined;
  /** A passport opens the route, or each request takes a proof of its own. */
  mode: 'passport' | 'request';
  difficultyBits: number;
};

// The scheme of ours, which may stand among others (RFC 9110 §11.6.1).
const POW = /(?:^|,)\s*PoW\s+realm="([^"]*)",\s*difficulty=(\d+),\s*mode="(passport|request)"/i;

/** The refusal of a gate, or null where the answer is none: another status, another scheme. */
export function readRefusal({ status, headers }: { status: number; headers: Headers }): Refusal | null {
  const [, realm, bits, mode] = (status === 401 && POW.exec(headers.get('www-authenticate') ?? '')) || [];
  if (realm === undefined) return null;
  return {
    // No route is called `*`.
    route: realm === '*' ? undefined : realm,
    mode: mode?.toLowerCase() === 'request' ? 'request' : 'passport',
    difficultyBits: Number(bits),
  };
}
