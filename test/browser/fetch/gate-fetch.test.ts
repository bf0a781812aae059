import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CHALLENGE, fakeGateFetch, letsIn, refusal, URL_IN } from './fake-gate-fetch.ts';

describe('what is not a gate asking', () => {
  for (const [title, answer] of [
    ['an answer', new Response('ok')],
    [
      'a 401 of somebody else',
      new Response('no', { status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="x"' } }),
    ],
    ['a 401 without a scheme', new Response('no', { status: 401 })],
    ['our scheme on another status', new Response('no', { status: 403, headers: refusal().headers })],
  ] as const) {
    test(`passes through as it is: ${title}`, async () => {
      const { gateFetch, sent, asked } = fakeGateFetch(() => answer);
      const got = await gateFetch(URL_IN);
      assert.equal(got, answer);
      assert.equal(got.bodyUsed, false);
      assert.equal(sent.length, 1);
      assert.deepEqual(asked, []);
    });
  }

  test('passes through what a redirect has led to at another origin', async () => {
    const elsewhere = Object.defineProperty(refusal(), 'url', { value: 'https://other.example/in' });
    const { gateFetch, asked } = fakeGateFetch(() => elsewhere);
    assert.equal(await gateFetch(URL_IN), elsewhere);
    assert.deepEqual(asked, []);
  });
});

describe('a route that takes a passport', () => {
  test('is paid once, with the challenge that came, and opens from then on', async () => {
    const { gateFetch, sent, asked } = fakeGateFetch(letsIn('P1'));
    assert.equal(await (await gateFetch(URL_IN, { method: 'POST', body: 'hello' })).text(), 'in');
    assert.equal(await (await gateFetch(URL_IN)).text(), 'in');
    assert.equal(asked.length, 1);
    assert.deepEqual(asked[0]?.challenge, CHALLENGE);
    assert.equal(asked[0]?.route, 'demo');
    assert.deepEqual(
      sent.map(({ body }) => body),
      ['hello', 'hello', ''],
    );
  });

  test('gets the cookie beside those of the caller, and no other origin gets it', async () => {
    const { gateFetch, sent } = fakeGateFetch(letsIn('P1'));
    await gateFetch(URL_IN, { headers: { Cookie: 'a=1' } });
    await gateFetch('https://other.example/', { headers: { Cookie: 'b=2' } });
    const cookies = sent.map(({ headers }) => headers.get('cookie'));
    assert.deepEqual(cookies.slice(0, 3), ['a=1', 'a=1; pow_passport=P1', 'b=2']);
  });

  test('leaves the cookie to a browser', async () => {
    const { gateFetch, sent } = fakeGateFetch((_, n) => (n === 0 ? refusal() : new Response('in')), {
      keepsCookies: true,
    });
    await gateFetch(URL_IN);
    assert.deepEqual(
      sent.map(({ headers }) => headers.get('cookie')),
      [null, null],
    );
  });

  test('is paid once by calls at the same time', async () => {
    const { gateFetch, sent, asked } = fakeGateFetch(letsIn('P1'));
    const answers = await Promise.all(Array.from({ length: 10 }, () => gateFetch(URL_IN)));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal(asked.length, 1);
    assert.equal(sent.length, 20);
  });

  test('is paid again when the passport has run out, or is refused', async () => {
    let good = 'P1';
    const { gateFetch, asked, clock } = fakeGateFetch((sent) => letsIn(good)(sent));
    await gateFetch(URL_IN);
    clock.ms = 1_799_000;
    good = 'P2';
    assert.equal((await gateFetch(URL_IN)).status, 200);
    good = 'P3';
    assert.equal((await gateFetch(URL_IN)).status, 200);
    assert.equal(asked.length, 3);
  });

  test('that refuses a fresh passport, too, is believed', async () => {
    const { gateFetch, sent, asked } = fakeGateFetch(() => refusal());
    const got = await gateFetch(URL_IN);
    assert.equal(got.status, 401);
    assert.equal(got.bodyUsed, false);
    assert.equal(sent.length, 2);
    assert.equal(asked.length, 1);
  });

  test('that asks for more than is paid is refused before any work', async () => {
    const { gateFetch, asked } = fakeGateFetch(() => refusal('passport', { bits: 29 }));
    await assert.rejects(gateFetch(URL_IN), { name: 'SessionError', code: 'too-difficult' });
    assert.deepEqual(asked, []);
    const generous = fakeGateFetch((_, n) => (n ? new Response() : refusal('passport', { bits: 29 })), {
      options: { mostDifficultyBits: 30 },
    });
    assert.equal((await generous.gateFetch(URL_IN)).status, 200);
  });
});

describe('a route that takes a proof with each request', () => {
  test('gets one in the header PoW, and leaves Authorization to the caller', async () => {
    const { gateFetch, sent } = fakeGateFetch(({ headers }) =>
      headers.has('pow') ? new Response('in') : refusal('request'),
    );
    for (const n of [1, 2]) {
      const got = await gateFetch(
        new Request(URL_IN, { method: 'POST', body: 'ask', headers: { Authorization: 'Bearer k' } }),
      );
      assert.equal(await got.text(), 'in');
      const last = sent.at(-1);
      assert.equal(last?.headers.get('pow'), `${CHALLENGE.challenge}:${n}`);
      assert.equal(last?.headers.get('authorization'), 'Bearer k');
      assert.equal(last?.body, 'ask');
    }
  });

  test('that refuses the proof is believed', async () => {
    const { gateFetch, sent } = fakeGateFetch(() => refusal('request'));
    assert.equal((await gateFetch(URL_IN)).status, 401);
    assert.equal(sent.length, 2);
  });

  test('is asked again where a challenge expires while it is solved, as often as it takes', async () => {
    const { gateFetch, sent, asked } = fakeGateFetch(
      ({ headers }) => (headers.has('pow') ? new Response('in') : refusal('request')),
      { isInTime: (n) => n > 7 },
    );
    const answer = await gateFetch(URL_IN, { method: 'POST', body: 'ask' });
    assert.equal(await answer.text(), 'in');
    // Bare each time, so that its challenge has the price of this request; and paid once.
    assert.deepEqual(
      sent.map(({ headers, body }) => [headers.get('pow'), body]),
      [...Array(8).fill([null, 'ask']), [`${CHALLENGE.challenge}:8`, 'ask']],
    );
    assert.equal(asked.length, 8);
  });

  test('is asked again where the proof came too late, three times at most', async () => {
    const expired = () =>
      Response.json(
        { code: 'challenge-expired' },
        { status: 410, headers: { 'Content-Type': 'application/problem+json' } },
      );
    for (const [lateProofs, status] of [
      [1, 200],
      [3, 200],
      [4, 410],
    ] as const) {
      let proofs = 0;
      const { gateFetch, sent } = fakeGateFetch(({ headers }) => {
        if (!headers.has('pow')) return refusal('request');
        return ++proofs > lateProofs ? new Response('in') : expired();
      });
      const answer = await gateFetch(URL_IN);
      assert.deepEqual([answer.status, answer.bodyUsed], [status, false]);
      assert.equal(sent.length, status === 200 ? 2 * (lateProofs + 1) : 8);
    }
  });

  for (const [title, answer] of [
    ['of the site behind the gate', () => new Response('{"code":"challenge-expired"}', { status: 410 })],
    [
      'for a proof that was used, since the request may have been answered',
      () =>
        Response.json(
          { code: 'challenge-already-used' },
          { status: 409, headers: { 'Content-Type': 'application/problem+json' } },
        ),
    ],
  ] as const) {
    test(`takes an answer as it is: ${title}`, async () => {
      const { gateFetch, sent } = fakeGateFetch(({ headers }) =>
        headers.has('pow') ? answer() : refusal('request'),
      );
      const got = await gateFetch(URL_IN);
      assert.equal(got.bodyUsed, false);
      assert.equal(sent.length, 2);
    });
  }

  test('is what every route is where passports cannot be kept', async () => {
    const { gateFetch } = fakeGateFetch(
      ({ headers }) => (headers.has('pow') ? new Response('in') : refusal()),
      {
        takesPassports: false,
      },
    );
    assert.equal((await gateFetch(URL_IN)).status, 200);
  });

  test('is solved also where the body held no challenge', async () => {
    const page = () => new Response('<html>', { status: 401, headers: refusal('request').headers });
    const { gateFetch, asked } = fakeGateFetch(({ headers }) =>
      headers.has('pow') ? new Response('in') : page(),
    );
    assert.equal((await gateFetch(URL_IN)).status, 200);
    assert.equal(asked[0]?.challenge, undefined);
  });
});

describe('a body that cannot be sent again', () => {
  async function* pieces() {
    yield new Uint8Array(1);
  }
  for (const [title, body] of [
    ['a stream', new ReadableStream()],
    ['an async iterable', pieces()],
  ] as const) {
    test(`is refused before anything is sent: ${title}`, async () => {
      const { gateFetch, sent } = fakeGateFetch(() => new Response());
      const init = { method: 'POST', body, duplex: 'half' } as unknown as RequestInit;
      await assert.rejects(gateFetch(URL_IN, init), /expected one that can be sent again/);
      assert.deepEqual(sent, []);
    });
  }

  const form = new FormData();
  form.set('a', 'text');
  for (const [title, body, expected] of [
    ['text', 'text', /^text$/],
    ['bytes', new TextEncoder().encode('text'), /^text$/],
    ['a blob', new Blob(['text']), /^text$/],
    ['parameters', new URLSearchParams({ a: 'text' }), /^a=text$/],
    ['a form', form, /name="a"\r\n\r\ntext/],
  ] as const) {
    test(`is none of these: ${title}`, async () => {
      const { gateFetch, sent } = fakeGateFetch(letsIn('P1'));
      assert.equal((await gateFetch(URL_IN, { method: 'POST', body })).status, 200);
      assert.equal(sent.length, 2);
      for (const one of sent) assert.match(one.body, expected);
    });
  }
});

describe('who leaves', () => {
  test('rejects with the reason of the signal, and stops the work when nobody is left', async () => {
    let working: AbortSignal | undefined;
    const { gateFetch } = fakeGateFetch(() => refusal(), {
      obtain: ({ signal }) =>
        new Promise((_, reject) => {
          working = signal;
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [first, second].map(({ signal }) => gateFetch(URL_IN, { signal }));
    const ends = Promise.allSettled(calls);
    while (!working) await new Promise(setImmediate);
    for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
    first.abort(new Error('first left'));
    await assert.rejects(calls[0] as Promise<unknown>, /first left/);
    assert.equal(working.aborted, false);
    second.abort(new Error('second left'));
    await assert.rejects(calls[1] as Promise<unknown>, /second left/);
    assert.equal(working.aborted, true);
    await ends;
  });

  test('before the start asks nothing', async () => {
    const { gateFetch, asked } = fakeGateFetch(() => refusal());
    await assert.rejects(gateFetch(URL_IN, { signal: AbortSignal.abort(new Error('gone')) }), /gone/);
    assert.deepEqual(asked, []);
  });
});

test('a failed solve fails the calls that share it, and no later one', async () => {
  let fails = true;
  const { gateFetch } = fakeGateFetch(letsIn('good'), {
    async obtain() {
      if (fails) throw new Error('no luck');
      return 'good';
    },
  });
  const both = await Promise.allSettled([gateFetch(URL_IN), gateFetch(URL_IN)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  fails = false;
  assert.equal((await gateFetch(URL_IN)).status, 200);
});
