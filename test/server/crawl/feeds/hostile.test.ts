import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { systemTimer } from '../../../../server/base/system.ts';
import { createParseFeed } from '../../../../server/crawl/feeds/parse-in-worker.ts';
import { createOutbound } from '../../../../server/outbound/guarded-fetch.ts';
import { readAllowed } from '../../../../server/outbound/reach.ts';
import { createTestFeeds, item, rss } from '../../../test-feeds.ts';
import { createTestTimer } from '../../../test-timer.ts';

const URL_OF_FEED = 'https://feeds.example/feed';
const head = '<rss version="2.0"><channel><title>T</title>';
const entity = (name: string, of: string) => `<!ENTITY ${name} "${`&${of};`.repeat(10)}">`;

describe('in a thread of its own', () => {
  const parse = createParseFeed(systemTimer);

  test('a feed is read', async () => {
    const parsed = await parse(rss([item('a'), item('b')]), URL_OF_FEED);
    assert.deepEqual(
      parsed?.entries.map(({ link }) => link),
      ['https://feeds.example/a', 'https://feeds.example/b'],
    );
  });

  test('entities that grow are left as they stand', async () => {
    const bomb = `<!DOCTYPE r [<!ENTITY a "${'a'.repeat(1_000)}">${entity('b', 'a')}${entity('c', 'b')}${entity('d', 'c')}${entity('e', 'd')}]>${rss(['<title>&e;</title>', item('x')])}`;
    const parsed = await parse(bomb, URL_OF_FEED);
    assert.ok((parsed?.entries[0]?.title.length ?? 0) < 100);
  });

  test('entities of files and of other servers are not fetched', async () => {
    const parsed = await parse(
      `<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY h SYSTEM "http://127.0.0.1/">]>${rss([item('a', '&f;&h;')])}`,
      URL_OF_FEED,
    );
    assert.doesNotMatch(JSON.stringify(parsed), /root:/);
  });

  for (const [title, text] of [
    ['tags without end', head + '<a>'.repeat(1_000_000)],
    ['items in items', head + '<item>'.repeat(500_000)],
    ['CDATA without end', head + '<![CDATA['.repeat(500_000)],
    ['comments without end', head + '<!--'.repeat(1_000_000)],
    ['a doctype without end', '<!DOCTYPE '.repeat(500_000) + head],
    [
      'an own prototype',
      `${head}<item><__proto__><a>1</a></__proto__><link>https://feeds.example/</link></item>`,
    ],
    ['JSON that is deep', `{"version":"https://jsonfeed.org/version/1.1","items":${'['.repeat(200_000)}`],
  ] as const) {
    test(`${title}: no feed, and this thread goes on`, async () => {
      assert.equal(await parse(text, URL_OF_FEED), null);
    });
  }

  test('one that has had its time is ended', async () => {
    const timer = createTestTimer();
    const slow = `${head}<item ${Array.from({ length: 300_000 }, (_, i) => `a${i}="x"`).join(' ')}/>`;
    const parsing = createParseFeed(timer)(slow, URL_OF_FEED);
    timer.fire();
    assert.equal(await parsing, null);
  });
});

describe('over the real guard', () => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const answers: Record<string, () => void> = {
      '/feed': () => response.end(rss([item('a')])),
      '/bomb': () => {
        response.setHeader('content-encoding', 'gzip');
        response.end(gzipSync(rss([item('a', 'x'.repeat(11_000_000))])));
      },
      '/inside': () => response.writeHead(302, { location: 'http://10.0.0.1/feed' }).end(),
      '/file': () => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      '/loop': () => response.writeHead(302, { location: '/loop' }).end(),
      '/cut': () => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('<rss>', () => response.destroy());
      },
    };
    (answers[pathname] ?? (() => response.writeHead(404).end()))();
  });
  const outbound = createOutbound({ allow: readAllowed(['127.0.0.1']), timer: systemTimer });
  const closed = createOutbound({ allow: readAllowed([]), timer: systemTimer });
  let origin = '';
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  });
  after(async () => {
    await Promise.all([outbound.close(), closed.close()]);
    server.closeAllConnections();
    server.close();
  });

  const ask = async (path: string, through = outbound) => {
    const world = createTestFeeds(() => new Response(''), { outbound: through });
    const answer = await world.request({
      method: 'POST',
      url: `/sites/rss?feedUrl=${encodeURIComponent(origin + path)}`,
    });
    return [answer.statusCode, answer.json().code ?? 'made'];
  };

  for (const [path, status, code] of [
    ['/feed', 201, 'made'],
    ['/bomb', 413, 'feed-too-large'],
    ['/inside', 400, 'feed-refused'],
    ['/file', 502, 'feed-unreachable'],
    ['/loop', 502, 'feed-unreachable'],
    ['/cut', 502, 'feed-unreachable'],
    ['/none', 502, 'feed-unreachable'],
  ] as const) {
    test(path, async () => assert.deepEqual(await ask(path), [status, code]));
  }

  test('this very machine is not reached where nobody allows it', async () => {
    assert.deepEqual(await ask('/feed', closed), [400, 'feed-refused']);
  });
});
