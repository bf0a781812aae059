import type { Router } from '@koa/router';
import type { RequestState } from '../http/request-state.ts';
import { serveOperation } from '../http/serve-operation.ts';
import { KeyParams, type KeysBody, NewKey } from '../wire/console.ts';
import type { Operation } from '../wire/operation.ts';
import { fault } from '../wire/problem.ts';
import type { ConsoleKeys } from './ports.ts';

const operators = {
  tag: 'Console',
  problems: ['malformed-request', 'sign-in-required'],
  isOpenToAnyOrigin: false,
} as const;

const issueOperation = {
  ...operators,
  id: 'issueKey',
  method: 'post',
  path: '/console/api/keys',
  summary: 'A new API key',
  body: NewKey,
  answer: { status: 201, description: 'The key; its text is told this once' },
} as const satisfies Operation;

const revokeOperation = {
  ...operators,
  id: 'revokeKey',
  method: 'delete',
  path: '/console/api/keys/{keyId}',
  summary: 'End a key at once',
  params: KeyParams,
  answer: { status: 204, description: 'It is over' },
} as const satisfies Operation;

export type KeysDeps = {
  keys: ConsoleKeys;
  /** Ids of the gated routes, as the policy stands. */
  routeIds(): string[];
};

/** API keys: listing with their use, issuing, revoking. */
export function serveKeys(router: Router<RequestState>, { keys, routeIds }: KeysDeps): void {
  router.get('/console/api/keys', async function listKeys(ctx) {
    ctx.body = { keys: await keys.list(), routes: routeIds() } satisfies KeysBody;
  });
  serveOperation(router, issueOperation, async ({ body }) => {
    const routes = [...new Set(body.routes)];
    const known = routeIds();
    const unknown = routes.find((id) => !known.includes(id));
    if (unknown !== undefined) {
      throw fault(
        'unknown-route',
        `body.routes: expected ids of gated routes, got ${JSON.stringify(unknown)}`,
      );
    }
    return keys.issue({ ...body, routes });
  });
  serveOperation(router, revokeOperation, async ({ params: { keyId } }) => {
    if (!(await keys.revoke(keyId)))
      throw fault('not-found', 'expected the id of a key that was issued here');
    return undefined as never;
  });
}
