import { makePostings, type PagePostings } from '../../search/core/page-postings.ts';
import type { IndexPage } from '../../search/core/ports.ts';
import type { TextTools } from '../../search/core/text-tools.ts';
import type { PreparedPage, PreparedPart } from './apply-changes.ts';
import { divideIntoBlocks, type PageTexts, packBlock, packTexts } from './documents.ts';

// Pages that are analysed before others get their turn.
const PAGES_A_TURN = 4;
const UNITS_A_TURN = 200_000;

type Analysed = { page: IndexPage; postings: PagePostings; texts: PageTexts };

export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The pages of a call from place `from` on, as many together as have `mostTerms` between them, and one at least. */
export async function preparePages(
  pages: readonly IndexPage[],
  from: number,
  mostTerms: number,
  tools: TextTools,
): Promise<PreparedPart> {
  const analysed: Analysed[] = [];
  let terms = 0;
  let units = 0;
  for (let i = from; i < pages.length; i++) {
    const page = pages[i];
    const postings = makePostings(page, tools);
    if (analysed.length > 0 && terms + postings.terms.length > mostTerms) break;
    terms += postings.terms.length;
    analysed.push({ page, postings, texts: packTexts(page, postings) });
    units += page.body.length;
    if (i % PAGES_A_TURN === PAGES_A_TURN - 1 || units > UNITS_A_TURN) {
      units = 0;
      await nextTurn();
    }
  }
  return { ...packTogether(analysed), terms };
}

function packTogether(analysed: readonly Analysed[]): Pick<PreparedPart, 'pages' | 'blocks'> {
  const pages: PreparedPage[] = [];
  const blocks: { first: number; bytes: Buffer }[] = [];
  const records = analysed.map(({ texts: { record } }, serial) => ({ serial, record }));
  for (const { serial: first, block } of divideIntoBlocks(records)) {
    const bytes = packBlock(block);
    blocks.push({ first, bytes });
    const recordBytes = block.reduce((sum, { record }) => sum + record.length, 0);
    for (const { offset, record } of block) {
      const { page, postings, texts } = analysed[first + offset];
      const ownBytes =
        Math.ceil((bytes.length * record.length) / recordBytes) +
        texts.pieces.reduce((sum, piece) => sum + piece.length, 0) +
        postings.bytes.length +
        postings.places.length +
        postings.terms.length * 2;
      pages.push({ page, postings, pieces: texts.pieces, block: first, bytes: ownBytes });
    }
  }
  return { pages, blocks };
}
