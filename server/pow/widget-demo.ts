import type { Router } from '@koa/router';
import { Fault } from '../base/fault.ts';
import { networkOf } from '../base/network.ts';
import { readFormOrJson } from '../http/body.ts';
import type { Page } from '../http/pages.ts';
import type { RequestState } from '../http/request-state.ts';
import type { ProblemCode } from '../wire/problem.ts';
import type { SiteverifyBody } from '../wire/siteverify.ts';
import { CODE_OF, failed, passed } from './core/siteverify.ts';
import type { Gate } from './service.ts';

const PATH = '/widget/';
const LIMIT_BYTES = 16_384;

/** `/widget/`: a form with the widget, and what a site's own server does when it is sent. */
export function serveWidgetDemo(
  router: Router<RequestState>,
  { widget, gate }: { widget: Page; gate: Gate },
): void {
  router.get(PATH, async function showForm(ctx) {
    widget(ctx, { ANSWER: '' });
  });
  router.post(PATH, async function takeForm(ctx) {
    const form = (await readFormOrJson(ctx, LIMIT_BYTES)) as Record<string, unknown> | null;
    const response = form?.['pow-response'];
    const answer = await verify(
      gate,
      typeof response === 'string' ? response : '',
      networkOf(ctx.state.client),
    );
    ctx.set('Cache-Control', 'no-store');
    ctx.status = answer.success ? 200 : 422;
    if (ctx.accepts('html', 'json') === 'json') ctx.body = answer;
    else widget(ctx, { ANSWER: answer });
  });
}

/** What siteverify would tell, without a key: this form is our own. */
async function verify(
  gate: Gate,
  response: string,
  network: ReturnType<typeof networkOf>,
): Promise<SiteverifyBody> {
  if (response === '') return failed('missing-input-response');
  try {
    return passed(await gate.verify(response, { route: null, network, claim: null }));
  } catch (error) {
    const code = error instanceof Fault ? CODE_OF[error.code as ProblemCode] : undefined;
    if (code === undefined) throw error;
    return failed(code);
  }
}
