import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createExtractPage } from '../../../server/search/extract-page.ts';
import { isSelector } from '../../../server/search/html-selector.ts';

const extract = createExtractPage('GatehouseBot');
const URL_OF_PAGE = 'https://example.org/docs/a?b';
const read = (html: string, selector: string | null = null) => extract(html, URL_OF_PAGE, selector);

describe('the text', () => {
  for (const [title, html, body] of [
    ['has a line for each block', '<h1>A</h1><p>b <b>c</b>d<div>e</div>f<br>g', 'A\nb cd\ne\nf\ng'],
    ['has one space for any white space', '<p> a\n\n \t b&nbsp;c </p>  ', 'a b c'],
    [
      'leaves out what is not read',
      '<nav>n</nav><script>s</script><style>t</style><template>u</template>v',
      'v',
    ],
    ['leaves out what is hidden', '<p hidden>a<b>b</b></p><div hidden="until-found">c</div>d', 'd'],
    ['leaves out comments and drawings', '<!-- a --><svg><title>b</title><text>c</text></svg>d', 'd'],
    [
      'has entities as what they are',
      '&lt;b&gt; &amp;amp; &euro;&#x1F600;&unknown; &#0;&#xD800;',
      '<b> &amp; €😀&unknown; ��',
    ],
    ['goes on behind what was never closed', '<div><p>a<p>b<table><td>c<td>d', 'a\nb\nc\nd'],
    ['goes on behind a head that was never closed', '<head><title>t</title><p>a', 'a'],
    ['is empty where there is none', '', ''],
    ['may be text alone', 'plain', 'plain'],
  ] as const) {
    test(title, () => assert.equal(read(html).body, body));
  }

  test('has its white space folded as one pattern for each would', () => {
    const pieces = fc.constantFrom(
      ' ',
      '  ',
      '\n',
      '\t',
      '\r',
      '\u00a0',
      'a',
      'b',
      '<p>',
      '<b>',
      '</b>',
      '<br>',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        // Blocks are line ends, and white space of the page never is.
        const lines = parts.map((part) =>
          /^<(p|br)/.test(part) ? '\n' : part.replace(/<.*>|\s/g, (at) => (at[0] === '<' ? '' : ' ')),
        );
        const plain = lines
          .join('')
          .split('\n')
          .map((line) => line.replace(/ +/g, ' ').trim())
          .filter(Boolean);
        assert.equal(read(parts.join('')).body, plain.join('\n'));
      }),
    );
  });

  test('keeps its headings in order, once each', () => {
    const { headings, body } = read(
      '<h2>B <i>b</i></h2><p>x<h1>A<h6>deep</h6></h1><h3> </h3><nav><h2>N</h2></nav>',
    );
    assert.deepEqual(headings, ['B b', 'A', 'deep']);
    for (const heading of headings) assert.ok(body.includes(heading));
  });

  test('is limited to what the selector matches, each part once', () => {
    const html = '<div class=c>a<div class=c>b</div></div><p>x<div class=c><h2>c</h2></div>';
    assert.deepEqual([read(html, '.c').body, read(html, '.c').headings], ['a\nb\nc', ['c']]);
  });

  for (const selector of ['.nothing', 'main >> p', 'p:unknown', '']) {
    test(`is the whole body where ${JSON.stringify(selector)} matches nothing`, () =>
      assert.equal(read('<p>a<main>b</main>', selector).body, 'a\nb'));
  }
});

describe('the facts', () => {
  const factsOf = (head: string) => read(`<head>${head}</head><body><h1>Heading</h1>`);

  test('are those of the first that says so', () => {
    const page = factsOf(
      `<title> A &amp; B </title><title>C</title><meta property="og:title" content="D">
       <link rel="alternate CANONICAL" href="c#x"><link rel=canonical href="/later">
       <meta property="og:image" content="i.png"><meta name=sis-labels content=" a, b,,a ">`,
    );
    assert.equal(page.title, 'A & B');
    assert.equal(page.canonical, 'https://example.org/docs/c');
    assert.equal(page.thumbnail, 'https://example.org/docs/i.png');
    assert.deepEqual(page.labels, ['a', 'b']);
  });

  test('have a title from elsewhere where there is none', () => {
    assert.equal(factsOf('<meta property="og:title" content="D">').title, 'D');
    assert.equal(factsOf('<title> </title>').title, 'Heading');
    assert.equal(read('<svg><title>drawing</title></svg>').title, '');
  });

  for (const [head, expected] of [
    ['<meta name=robots content=noindex>', [true, false]],
    ['<meta name=ROBOTS content="index, NoFollow">', [false, true]],
    ['<meta name=gatehousebot content=none>', [true, true]],
    ['<meta name=robots content=all><meta name=robots content=noindex>', [true, false]],
    ['<meta name=googlebot content=noindex>', [false, false]],
    ['<meta name=robots content=max-image-preview:none>', [false, false]],
    ['<template><meta name=robots content=noindex></template>', [false, false]],
    ['<!-- <meta name=robots content=noindex> -->', [false, false]],
  ] as [string, boolean[]][]) {
    test(`${head}: ${expected}`, () => {
      const { isNoindex, isNofollow } = factsOf(head);
      assert.deepEqual([isNoindex, isNofollow], expected);
    });
  }

  for (const [html, expected] of [
    ['<html lang=de-at>', 'de-AT'],
    ['<html xml:lang=en>', 'en'],
    ['<meta http-equiv=content-language content=fr>', 'fr'],
    ['<html lang="not a language">', null],
    ['<html lang="de_DE">', null],
    ['<html lang>', null],
  ] as const) {
    test(`${html} is in ${expected}`, () => assert.equal(read(html).language, expected));
  }

  const time = (iso: string) => Date.parse(iso) / 1000;
  for (const [head, expected] of [
    [
      '<meta property=article:published_time content=2024-01-02T03:04:05+01:00>',
      time('2024-01-02T02:04:05Z'),
    ],
    ['<script type=application/ld+json>{"datePublished":"2024-01-02"}</script>', time('2024-01-02')],
    [
      '<script type=application/ld+json>[1,{"@graph":[null,{"datePublished":"2024-01-02T03:04"}]}]</script>',
      time('2024-01-02T03:04Z'),
    ],
    ['<script type=application/ld+json>{"datePublished":{"__proto__":[]}}</script>', null],
    ['<script type=application/ld+json>{broken</script><time datetime=2024-01-02>', time('2024-01-02')],
    ['<time>2024-01-02</time><time datetime="2024-01-03 10:00">', time('2024-01-03T10:00Z')],
    [
      '<meta property=article:published_time content=yesterday><time datetime=2024-01-02>',
      time('2024-01-02'),
    ],
    ['<time datetime=2024-02-31T99:00>', null],
    ['<time datetime=1800-01-01>', null],
  ] as const) {
    test(`${head}: ${expected}`, () => assert.equal(factsOf(head).publishedAtSecs, expected));
  }

  test('have links, each once, from the base and without fragments, the navigation’s too', () => {
    const { links } = read(
      `<base href="/sub/"><base href="/no/"><nav><a href="a#1">x</a></nav><a href="a" rel="nofollow">y</a>
       <a href="b" rel="NoFollow ugc">z</a><area href="//other.org/c"><a href="mailto:a@b"><a href="javascript:x">
       <a name="x"><a href="https://u:p@a.b/"><a href="https://[/">`,
    );
    assert.deepEqual(links(), [
      { url: 'https://example.org/sub/a', isNofollow: false },
      { url: 'https://example.org/sub/b', isNofollow: true },
      { url: 'https://other.org/c', isNofollow: false },
    ]);
  });

  test('never lead elsewhere by a base that is no http(s) URL', () => {
    const { links, canonical } = read(
      '<base href="javascript:x"><a href="a">x</a><link rel=canonical href="ftp://a/">',
    );
    assert.deepEqual([links()[0].url, canonical], ['https://example.org/docs/a', null]);
  });
});

describe('whatever comes', () => {
  const piece = fc.constantFrom(
    ...'<div> <p> </p> </div> <a href=x> </a> <title> </title> <script> </script> <!-- --> <svg> </svg> <![CDATA[ ]]> &amp; &# " \' = < > </ <h1> </h1> <br> <template> <table><td> hidden text \0 \ud800 __proto__'.split(
      ' ',
    ),
  );

  test('is read without an error, into bounds', () =>
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { body, title, headings, links } = read(pieces.join(' '), 'div p, h1');
        for (const text of [body, title, ...headings]) assert.ok(text.isWellFormed());
        assert.doesNotMatch(body, /^\s|\s$| {2}|\n\n/);
        assert.ok(links().length <= 5_000);
      }),
      { numRuns: 500 },
    ));

  // Each of them took minutes, or the whole memory, with a tree and a stack without bounds.
  const fill = (text: string, bytes = 2_000_000) => text.repeat(bytes / text.length);
  for (const [title, html, selector] of [
    ['elements in elements', fill('<div>'), null],
    ['closing tags of nothing', fill('<i>') + fill('</b>'), null],
    ['entities', fill('&amp;'), null],
    ['entities in an attribute', `<p title="${fill('&amp;')}">`, null],
    ['attributes', `<p ${Array.from({ length: 200_000 }, (_, i) => `a${i}`).join(' ')}>`, null],
    ['paragraphs', fill('<p>x'), null],
    ['headings in headings', fill('<h1><div>x'), null],
    ['white space', fill('a \n\n  '), null],
    ['openings', fill('<'), null],
    ['ancestors of ancestors', fill('<div>x'), 'y * * * * * *'],
    ['siblings of siblings', fill('<p>x</p>'), 'b ~ p ~ p'],
    ['texts in texts', fill('<div>xxxxxx'), 'y:contains("z"), :contains("y") div'],
    ['relations', fill('<p>x</p>'), 'p:has(~ b), b ~ p:nth-last-child(3n+2)'],
  ] as [string, string, string | null][]) {
    test(`two megabytes of ${title} are read`, { timeout: 20_000 }, () => {
      const { body, headings } = read(html, selector);
      assert.ok(Buffer.byteLength(body) <= 1_048_576 && headings.length <= 1_000);
    });
  }

  test('text behind what nests too deeply is still read', () => {
    const { body, title } = read(`${'<b>'.repeat(2_000)}deep<p>behind<title>late</title>`);
    assert.equal(body, 'deep\nbehind');
    assert.equal(title, 'late');
  });
});

test('a page of more elements than that is read up to there', () => {
  const { body } = read('<p>x</p>'.repeat(200_001));
  assert.equal(body.length, 2 * 200_000 - 1);
});

test('a selector is known before a page is read by it', () => {
  for (const good of ['main', '#a > .b, [c^="d"]', 'p:not(.x):first-child', ':is(a, b)', 'a:has(b)']) {
    assert.ok(isSelector(good), good);
  }
  for (const bad of ['', 'main >', '>> p', ':nothing', 'p::before', '[', '('.repeat(500), 'a:not(']) {
    assert.ok(!isSelector(bad), bad);
  }
});
