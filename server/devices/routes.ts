import type { Router } from '@koa/router';
import type { Page } from '../http/pages.ts';
import type { Context, RequestState } from '../http/request-state.ts';
import { serveOperation } from '../http/serve-operation.ts';
import { DeviceReceipt, DeviceResult, DeviceSummary } from '../wire/devices.ts';
import type { Operation } from '../wire/operation.ts';
import type { Devices } from './service.ts';

export const submitOperation = {
  id: 'submitDevice',
  method: 'post',
  path: '/bench/results',
  tag: 'Devices',
  summary: 'What a device measured of itself',
  description:
    'Takes a proof of work as `PoW: <challenge>:<answer>`, for a challenge of `GET /pow/challenge` without a route. Kept ' +
    'are these members and the day, and nothing of who sent them.',
  body: DeviceResult,
  answer: { status: 201, description: 'Kept', schema: DeviceReceipt },
  problems: [
    'malformed-request',
    'malformed-challenge',
    'malformed-answer',
    'proof-required',
    'seal-invalid',
    'insufficient-work',
    'route-mismatch',
    'challenge-already-used',
    'challenge-expired',
    'body-too-large',
    'unsupported-media-type',
    'throttled',
    'store-unavailable',
  ],
  isOpenToAnyOrigin: false,
} as const satisfies Operation;

export const summaryOperation = {
  id: 'summariseDevices',
  method: 'get',
  path: '/bench/results',
  tag: 'Devices',
  summary: 'How fast the submitted devices are',
  answer: { status: 200, description: 'Percentiles, never a single device', schema: DeviceSummary },
  problems: [],
  isOpenToAnyOrigin: false,
} as const satisfies Operation;

export const deviceOperations = [submitOperation, summaryOperation];

export type DevicesRoutesDeps = {
  devices: Devices;
  /** Takes the proof of work of this request. @throws Fault 401 and those of a proof that does not hold */
  takePayment(ctx: Context): Promise<void>;
  /** Counts a submission. @throws Fault `throttled` */
  throttleDevices(ctx: Context): Promise<void>;
};

/** The device page at `/bench`, and the comparison behind it. */
export function serveDevices(
  router: Router<RequestState>,
  {
    devices,
    takePayment,
    throttleDevices,
    page,
    bits,
  }: DevicesRoutesDeps & {
    page: Page;
    /** The price of this server's routes, shown on the page. */
    bits(): number;
  },
): void {
  router.get('/bench', async function serveBench(ctx) {
    page(ctx, { BITS: String(bits()) });
  });
  serveOperation(router, submitOperation, async ({ body }, ctx) => {
    ctx.set('Cache-Control', 'no-store');
    // Counted after it has paid: junk without work would otherwise use up what a whole network may send.
    await takePayment(ctx);
    await throttleDevices(ctx);
    return devices.submit(body);
  });
  serveOperation(router, summaryOperation, async (_, ctx) => {
    ctx.set('Cache-Control', 'no-store');
    return devices.summary();
  });
}
