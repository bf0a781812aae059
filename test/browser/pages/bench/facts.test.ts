import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { PERCENTS, percentSlower } from '../../../../browser/pages/bench/comparison.ts';
import {
  browserOf,
  describeDevice,
  type Navigator,
  systemOf,
} from '../../../../browser/pages/bench/device.ts';
import { endlessChallenge } from '../../../../browser/pages/bench/endless-challenge.ts';
import { PACE, QUICK_PACE, runMs, workerSteps } from '../../../../browser/pages/bench/plan.ts';
import { blockingMs, rateVital } from '../../../../browser/pages/bench/rating.ts';
import { solveTimes } from '../../../../browser/pages/bench/solve-times.ts';
import { submissionText } from '../../../../browser/pages/bench/submission.ts';
import { logTicks } from '../../../../browser/pages/bench/ticks.ts';
import {
  formatCompact,
  formatFactor,
  formatPercent,
  formatTime,
} from '../../../../browser/pages/bench/units.ts';
import { openChallenge } from '../../../../browser/solver/challenge.ts';
import { DeviceResult } from '../../../../server/wire/devices.ts';
import { deviceResult } from '../../../device-result.ts';

describe('the plan', () => {
  test('goes from one worker to all threads, sixteen at most', () => {
    assert.deepEqual(workerSteps(1), [1]);
    assert.deepEqual(workerSteps(2), [1, 2]);
    assert.deepEqual(workerSteps(6), [1, 2, 3, 4, 6]);
    assert.deepEqual(workerSteps(10), [1, 2, 3, 4, 6, 8, 10]);
    assert.deepEqual(workerSteps(128), [1, 2, 3, 4, 6, 8, 12, 16]);
  });

  test('takes two where the browser says nothing that can be', () => {
    for (const said of [undefined, null, 0, -4, Number.NaN, '8']) assert.deepEqual(workerSteps(said), [1, 2]);
    assert.deepEqual(workerSteps(3.7), [1, 2, 3]);
  });

  test('ends within thirty seconds on any device', () => {
    for (let threads = 1; threads <= 256; threads++) assert.ok(runMs(PACE, workerSteps(threads)) < 30_000);
    assert.ok(runMs(QUICK_PACE, workerSteps(16)) < 2000);
  });

  test('measures by a challenge that nobody solves and no server sealed', () => {
    const { difficultyBits, nonce } = openChallenge(endlessChallenge(new Uint8Array(32).fill(7)));
    assert.equal(difficultyBits, 64);
    assert.deepEqual(nonce, new Uint8Array(32).fill(7));
    assert.throws(() => endlessChallenge(new Uint8Array(31)), /expected 32 bytes, got 31/);
  });
});

test('the time to solve is the quantile over the rate, for 16 to 24 bits', () => {
  const times = solveTimes(1_000_000);
  assert.deepEqual(
    times.map(({ bits }) => bits),
    [16, 17, 18, 19, 20, 21, 22, 23, 24],
  );
  const twenty = times[4] ?? assert.fail();
  assert.equal(twenty.median, 0.726818);
  assert.equal(twenty.most, 3.141252);
});

describe('the comparison', () => {
  const distribution = { devices: 40, percentiles: PERCENTS.map((percent) => percent * 1000) };

  test('interpolates between the percentiles, and knows its ends', () => {
    for (const [rate, percent] of [
      [0, 5],
      [5000, 5],
      [50_000, 50],
      [52_000, 52],
      [95_000, 95],
      [1e12, 95],
    ] as const)
      assert.equal(percentSlower(distribution, rate), percent);
  });

  test('stands among equal devices at the upper end of them', () => {
    const equal = { devices: 5, percentiles: PERCENTS.map((percent) => (percent < 50 ? 1 : 7)) };
    assert.equal(percentSlower(equal, 1), 5);
    assert.equal(percentSlower(equal, 7), 50);
  });

  test('never falls as the rate rises', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 1e6 }), { minLength: 19, maxLength: 19 }),
        fc.nat(1e6),
        fc.nat(1e6),
        (rates, a, b) => {
          const percentiles = rates.sort((x, y) => x - y);
          const [low, high] = [Math.min(a, b), Math.max(a, b)];
          const of = (rate: number) => percentSlower({ devices: 9, percentiles }, rate);
          assert.ok(of(low) <= of(high) && of(low) >= 5 && of(high) <= 95);
        },
      ),
    );
  });
});

describe('a device', () => {
  const agents: [string, string, number | null, string][] = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
      'edge',
      131,
      'windows',
    ],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
      'chromium',
      131,
      'linux',
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 OPR/115.0',
      'opera',
      115,
      'chromeos',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
      'samsung',
      27,
      'android',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'safari',
      18,
      'macos',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'safari',
      18,
      'ios',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1',
      'chromium',
      131,
      'ios',
    ],
    ['Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0', 'firefox', 133, 'android'],
    ['', 'other', null, 'other'],
    ['Chrome/99999', 'chromium', null, 'other'],
  ];
  for (const [userAgent, family, major, system] of agents) {
    test(`is known by family only: ${family} on ${system}`, () => {
      assert.deepEqual(browserOf({ userAgent }), { family, major });
      assert.equal(systemOf({ userAgent }), system);
    });
  }

  test('that calls itself a Mac and is touched is an iPad', () => {
    const userAgent = agents[4]?.[0] as string;
    assert.equal(systemOf({ userAgent, maxTouchPoints: 5 }), 'ios');
  });

  test('sends what the server takes, whatever the browser says of itself', () => {
    const measured = {
      kernels: { simd: 12_345_678.9, scalar: null, javascript: 1_000_000.4 },
      fastest: 'simd' as const,
      workers: [
        { workers: 1, rate: 12_345_678.9 },
        { workers: 2, rate: 24_000_000.1 },
      ],
    };
    const strange: Partial<Navigator>[] = [
      { hardwareConcurrency: 8, deviceMemory: 8 },
      { hardwareConcurrency: undefined, deviceMemory: 3 },
      { hardwareConcurrency: 2.5, deviceMemory: -1 },
      { userAgentData: { platform: '', brands: [] } },
    ];
    for (const said of strange) {
      const result = describeDevice({ userAgent: agents[0]?.[0] as string, ...said }, measured);
      assert.deepEqual(DeviceResult.parse(JSON.parse(submissionText(result))), result);
      assert.equal(result.workers[0]?.rate, 12_300_000);
      assert.doesNotMatch(submissionText(result), /Mozilla|NT 10/);
    }
  });

  test('is shown as the very text that is sent, a member a line', () => {
    const text = submissionText(deviceResult());
    assert.deepEqual(JSON.parse(text), deviceResult());
    assert.equal(text.split('\n').length, 8);
  });
});

test('a vital is rated by the borders that its source gives', () => {
  assert.deepEqual(
    [0, 200, 201, 500, 501].map((ms) => rateVital('inp', ms)),
    ['good', 'good', 'needs improvement', 'needs improvement', 'poor'],
  );
  assert.equal(rateVital('blocking', 600), 'needs improvement');
  assert.equal(rateVital('frame', 51), 'needs improvement');
  assert.equal(blockingMs([50, 80, 51]), 31);
  assert.equal(blockingMs([]), 0);
});

test('figures are short', () => {
  for (const [secs, text] of [
    [0.0023, '2.3 ms'],
    [0.9994, '999 ms'],
    [0.9996, '1 s'],
    [1.44, '1.4 s'],
    [100, '100 s'],
    [200, '3.3 min'],
    [7200, '2 h'],
  ] as const)
    assert.equal(formatTime(secs, 'en'), text.replace(' ', '\u00a0'));
  assert.equal(formatTime(1.44, 'de'), '1,4\u00a0s');
  assert.equal(formatCompact(12_500_000, 'en'), '12.5M');
  assert.equal(formatFactor(1.98, 'en'), '2');
  assert.equal(formatPercent(62, 'en'), '62%');
});

test('ticks of a logarithmic axis are round numbers within it', () => {
  assert.deepEqual(logTicks(0.001, 1, [1]), [0.001, 0.01, 0.1, 1]);
  assert.deepEqual(logTicks(3, 70, [1, 2, 5]), [5, 10, 20, 50]);
  assert.deepEqual(logTicks(11, 19, [1, 2, 5]), []);
});
