import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A page of a website: what its address ends with, and its HTML. */
export type WebPage = { path: string; html: string };

type Source = { title: string; text: string };

// Our choice: some 3.5 kB of text each, as the pages of cpp-docs have, in 8 kB of HTML.
const WORDS_A_PARAGRAPH = 60;
const SECTIONS = 5;
const VOCABULARY = 12_000;
const NAVIGATION = 30;

/** Pages shaped like documentation, the same at every run: navigation, headings, paragraphs, code and a table. */
export function makePages(count: number): WebPage[] {
  const random = createSeries(20_261_121);
  const words = Array.from({ length: VOCABULARY }, () => makeWord(random));
  // Few words are frequent and most are rare (Zipf): the rank falls off as natural text has it.
  const word = () => words[Math.floor(VOCABULARY ** random()) - 1] ?? words[0];
  const sentence = (length: number) => `${Array.from({ length }, word).join(' ')}.`;
  return Array.from({ length: count }, (_, i) => {
    const title = `${word()} ${word()} ${i}`;
    const sections = Array.from({ length: SECTIONS }, () =>
      [
        `<h2>${word()} ${word()}</h2>`,
        `<p>${sentence(WORDS_A_PARAGRAPH / 3)} <code>${word()}::${word()}()</code> ${sentence(WORDS_A_PARAGRAPH / 2)}</p>`,
        `<pre><code>${Array.from({ length: 4 }, () => `${word()} = ${word()}(${word()});`).join('\n')}</code></pre>`,
        `<table><tr><th>${word()}</th><td>${sentence(8)}</td></tr></table>`,
      ].join('\n'),
    );
    return { path: pathOf(i), html: frame(title, i, count, sections.join('\n')) };
  });
}

/** The pages of a collection, lines of `title` and `text` in a gzipped file, put into HTML. */
export function readPages(file: string): WebPage[] {
  const sources = gunzipSync(readFileSync(file))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Source);
  return sources.map(({ title, text }, i) => {
    const paragraphs = text.split(/\n+/).map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`);
    return { path: pathOf(i), html: frame(title, i, sources.length, paragraphs.join('\n')) };
  });
}

const pathOf = (i: number) => `/docs/page-${i}.html`;

function frame(title: string, i: number, count: number, body: string): string {
  const links = Array.from({ length: Math.min(NAVIGATION, count) }, (_, step) => (i + step * 7 + 1) % count);
  const navigation = links.map((to) => `<li><a href="${pathOf(to)}">Page ${to}</a></li>`).join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(title)}"><link rel="canonical" href="${pathOf(i)}"></head>
<body><nav><ul>${navigation}</ul></nav><main><h1>${escapeHtml(title)}</h1>
${body}
</main><footer><p>Page ${i} of ${count}</p></footer></body></html>`;
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

/** Numbers in 0..1 by a linear congruential generator (Numerical Recipes, ranqd1): enough to look like chance. */
function createSeries(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function makeWord(random: () => number): string {
  const pick = (text: string) => text[Math.floor(random() * text.length)];
  const syllables = 1 + Math.floor(random() * 3);
  return Array.from({ length: syllables }, () => pick('bcdfglmnprstv') + pick('aeiou') + pick('nrslt')).join(
    '',
  );
}
