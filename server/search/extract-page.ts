import type { ExtractPage } from '../base/extracted-page.ts';
import { cutUtf8 } from '../base/utf8.ts';
import { TITLE_BYTES } from '../wire/page.ts';
import { selectElements } from './html-selector.ts';
import { readHtmlText } from './html-text.ts';
import { readHtmlTree } from './html-tree.ts';
import { createPageFacts } from './page-facts.ts';

/**
 * Reads HTML as the crawler and the snapshots do.
 * @param token what a meta is addressed to us by, besides `robots`, such as `GatehouseBot`
 */
export function createExtractPage(token: string): ExtractPage {
  const robotsNames = ['robots', token.toLowerCase()];
  return function extractPage(html, url, selector = null) {
    const facts = createPageFacts(url, robotsNames);
    const tree = readHtmlTree(html, facts.hear);
    const { body, headings } = readHtmlText(tree, selector === null ? null : selectElements(tree, selector));
    const { title, ...rest } = facts.finish();
    return {
      ...rest,
      title: cutUtf8(title || (headings[0] ?? ''), TITLE_BYTES).toWellFormed(),
      headings,
      body,
    };
  };
}
