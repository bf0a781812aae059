import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { SaxesParser } from 'saxes';
import { decodePage } from './charset.ts';

/** The limits of sitemaps.org: 50 MB uncompressed, 50,000 URLs. */
export const SITEMAP_BYTES = 50 * 1_048_576;
const MOST_URLS = 50_000;
const CHUNK = 65_536;
// Our choice; no sitemap of the protocol goes deeper than four.
const MOST_NESTING = 64;

export type Sitemap = { pages: string[]; sitemaps: string[] };

const unzip = promisify(gunzip);

/**
 * Reads a sitemap or an index of them: XML, gzipped or not, or a text of one URL a line. No entity but XML's own is
 * expanded, and what stands behind the 50,000th URL is not read.
 * @throws Error that says what is wrong, where nothing was to be read
 */
export async function readSitemap(bytes: Uint8Array, contentType: string | null): Promise<Sitemap> {
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isZipped ? await unzip(bytes, { maxOutputLength: SITEMAP_BYTES }) : bytes;
  const text = decodePage(plain, isZipped ? null : contentType);
  return /^\s*</.test(text) ? readXml(text) : readLines(text);
}

function readLines(text: string): Sitemap {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const pages = lines.filter((line) => /^https?:\/\//i.test(line)).slice(0, MOST_URLS);
  if (pages.length === 0) throw new Error('expected a sitemap in XML, or one URL a line');
  return { pages, sitemaps: [] };
}

function readXml(text: string): Sitemap {
  const found: Sitemap = { pages: [], sitemaps: [] };
  const open: string[] = [];
  const parser = new SaxesParser();
  let root = '';
  let location = '';
  let fault: Error | null = null;
  const count = () => found.pages.length + found.sitemaps.length;
  const localName = (name: string) => name.slice(name.indexOf(':') + 1).toLowerCase();

  parser.on('error', (error) => {
    fault ??= error;
  });
  parser.on('opentag', ({ name }) => {
    const local = localName(name);
    root ||= local;
    open.push(local);
    if (open.length > MOST_NESTING) fault ??= new Error('expected fewer elements within each other');
    location = '';
  });
  const hear = (part: string) => {
    if (open[open.length - 1] === 'loc' && location.length < CHUNK) location += part;
  };
  parser.on('text', hear);
  parser.on('cdata', hear);
  parser.on('closetag', () => {
    // `<image:loc>` and its like stand one level deeper.
    if (open.pop() !== 'loc' || open.length !== 2 || fault || count() >= MOST_URLS) return;
    if (open[1] === 'sitemap') found.sitemaps.push(location.trim());
    else if (open[1] === 'url') found.pages.push(location.trim());
  });
  for (let at = 0; at < text.length && !fault && count() < MOST_URLS; at += CHUNK) {
    parser.write(text.slice(at, at + CHUNK));
  }
  if (root !== 'urlset' && root !== 'sitemapindex') {
    throw new Error(
      `expected urlset or sitemapindex, got ${root === '' ? 'no XML' : `<${root.slice(0, 40)}>`}`,
    );
  }
  // What was read before the fault is good.
  if (fault && count() === 0) throw fault;
  return found;
}
