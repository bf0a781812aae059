import { makePostings } from '../../search/core/page-postings.ts';
import type { IndexPage, PutOutcome } from '../../search/core/ports.ts';
import type { TextTools } from '../../search/core/text-tools.ts';
import type { Environment } from '../environment.ts';
import { applyToSite, documentOf, type PreparedPage } from './apply-changes.ts';
import { packPage } from './documents.ts';
import type { HotSites } from './hot-sites.ts';
import {
  claimSite,
  disownSite,
  numberOfSite,
  readState,
  type SearchTable,
  writeFormat,
} from './site-state.ts';

export type WriterDeps = {
  environment: Pick<Environment, 'write'>;
  table: SearchTable;
  hot: HotSites;
  tools: TextTools;
  /** A text that no other write has. */
  newStamp(): string;
  /** Terms of all pages in one transaction, unless a single page has more. Others wait for as long as it takes. */
  mostTerms: number;
};

type Put = {
  kind: 'put';
  pages: PreparedPage[];
  /** Pages of the same call that come in transactions of their own after this one: there must be room for them, too. */
  rest: readonly PreparedPage[];
  /** Of each page, counted together. */
  terms: number;
  mostPages: number;
  resolve(outcome: PutOutcome[] | null): void;
};
type Remove = { kind: 'remove'; ids: readonly string[]; resolve(removed: number): void };
type Drop = { kind: 'drop'; resolve(site: number): void };
type Operation = (Put | Remove | Drop) & { siteId: string; reject(cause: unknown): void };

export type Writer = {
  put(siteId: string, pages: readonly IndexPage[], mostPages: number): Promise<PutOutcome[] | null>;
  remove(siteId: string, pageIds: readonly string[]): Promise<number>;
  /** Forgets a site; gives its number, whose rows are still there, or 0. */
  drop(siteId: string): Promise<number>;
  /** Done with all that was asked for. */
  settle(): Promise<void>;
};

// Our choice: pages in one transaction, unless a single call brings more. A transaction keeps other work waiting.
const MOST_PAGES = 1_000;
// Pages that are analysed before others get their turn.
const PAGES_A_TURN = 4;
const UNITS_A_TURN = 200_000;

// Our choice: from this many pages on a write leaves enough behind for a second commit to be worth its while.
const MANY_PAGES = 200;

function pagesIn(operation: Operation): number {
  if (operation.kind === 'put') return operation.pages.length;
  return operation.kind === 'remove' ? operation.ids.length : 0;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The pages of a call in the order given, as many together as have `mostTerms` between them, and one at least. */
function partsOf(pages: readonly PreparedPage[], mostTerms: number): PreparedPage[][] {
  const parts: PreparedPage[][] = [];
  let terms = Number.POSITIVE_INFINITY;
  for (const page of pages) {
    terms += page.postings.terms.length;
    const part = parts.at(-1);
    if (part && terms <= mostTerms) part.push(page);
    else {
      parts.push([page]);
      terms = page.postings.terms.length;
    }
  }
  return parts;
}

/**
 * Writes in groups: whatever comes while one transaction is under way goes into the next, together. Each promise is kept
 * when its transaction is on the disk.
 */
export function createWriter({ environment, table, hot, tools, newStamp, mostTerms }: WriterDeps): Writer {
  const queue: Operation[] = [];
  let draining: Promise<void> | null = null;

  async function prepare(pages: readonly IndexPage[]): Promise<PreparedPage[]> {
    const prepared: PreparedPage[] = [];
    let units = 0;
    for (const [i, page] of pages.entries()) {
      const postings = makePostings(page, tools);
      prepared.push({ page, postings, stored: packPage(page, postings) });
      units += page.body.length;
      if (i % PAGES_A_TURN === PAGES_A_TURN - 1 || units > UNITS_A_TURN) {
        units = 0;
        await nextTurn();
      }
    }
    return prepared;
  }

  function enqueue(operation: Operation): void {
    queue.push(operation);
    draining ??= drain();
  }

  async function drain(): Promise<void> {
    // What is asked for in the same turn goes together.
    await nextTurn();
    while (queue.length > 0) await commit(takeGroup());
    // In the same turn as the look at the queue: a call that came in between would wait for ever.
    draining = null;
  }

  function takeGroup(): Operation[] {
    let pages = 0;
    let terms = 0;
    let count = 0;
    for (const operation of queue) {
      pages += pagesIn(operation);
      terms += operation.kind === 'put' ? operation.terms : 0;
      if (count > 0 && (pages > MOST_PAGES || terms > mostTerms)) break;
      count++;
    }
    return queue.splice(0, count);
  }

  async function commit(group: readonly Operation[]): Promise<void> {
    const answers: (() => void)[] = [];
    const sites = new Set<number>();
    let hasWritten = false;
    try {
      await environment.write(async () => {
        // A child can be undone whole: where anything throws, none of the group is written.
        await table.childTransaction(() => {
          answers.length = 0;
          hasWritten = applyGroup(group, answers, sites);
        });
        // LMDB tells of no flush where there was nothing to flush: waiting for it would never end.
        if (hasWritten) await table.flushed;
      });
    } catch (cause) {
      for (const site of sites) hot.forget(site);
      for (const operation of group) operation.reject(cause);
      return;
    }
    for (const answer of answers) answer();
    if (hasWritten && group.reduce((sum, operation) => sum + pagesIn(operation), 0) >= MANY_PAGES)
      await turnOver();
  }

  // LMDB gives a transaction the pages that the one before the last has freed. A large write frees as many as it copies,
  // and with a small one in between the next large one fills them, where it would make the file larger.
  async function turnOver(): Promise<void> {
    await environment
      .write(() => table.transaction(() => writeFormat(table)))
      .catch(() => {
        // Nothing depends on it, and the next write tells of the store.
      });
  }

  function applyGroup(group: readonly Operation[], answers: (() => void)[], sites: Set<number>): boolean {
    let hasWritten = false;
    const pending = new Map<string, Map<string, PreparedPage | null>>();
    const flush = (siteId: string) => {
      const changes = pending.get(siteId);
      pending.delete(siteId);
      if (!changes || changes.size === 0) return;
      const site = claimSite(table, siteId);
      sites.add(site);
      applyToSite(table, hot, site, changes, newStamp());
      hasWritten = true;
    };
    for (const operation of group) {
      const { siteId } = operation;
      if (operation.kind === 'drop') {
        flush(siteId);
        const site = disownSite(table, siteId);
        if (site > 0) hasWritten = true;
        answers.push(() => operation.resolve(site));
        continue;
      }
      let changes = pending.get(siteId);
      if (!changes) {
        changes = new Map();
        pending.set(siteId, changes);
      }
      const known = pagesKnown(siteId, changes);
      if (operation.kind === 'remove') {
        let removed = 0;
        for (const id of operation.ids) {
          if (!known.has(id)) continue;
          changes.set(id, null);
          removed++;
        }
        answers.push(() => operation.resolve(removed));
      } else {
        const outcomes = stage(operation, changes, known);
        answers.push(() => operation.resolve(outcomes));
      }
    }
    for (const siteId of [...pending.keys()]) flush(siteId);
    return hasWritten;
  }

  // The pages of a site as they are with what this transaction did before.
  function pagesKnown(siteId: string, changes: ReadonlyMap<string, PreparedPage | null>) {
    const site = numberOfSite(table, siteId);
    const isStored = (id: string) => site > 0 && documentOf(table, site, id) >= 0;
    return {
      has: (id: string) => (changes.has(id) ? changes.get(id) !== null : isStored(id)),
      count() {
        let count = site > 0 ? readState(table, site).pages : 0;
        for (const [id, prepared] of changes) count += (prepared === null ? 0 : 1) - (isStored(id) ? 1 : 0);
        return count;
      },
    };
  }

  function stage(
    { pages, rest, mostPages }: Put,
    changes: Map<string, PreparedPage | null>,
    known: { has(id: string): boolean; count(): number },
  ): PutOutcome[] | null {
    const added = new Set<string>();
    const outcomes = pages.map(({ page: { id } }) => {
      const isNew = !known.has(id) && !added.has(id);
      if (isNew) added.add(id);
      return { id, isNew };
    });
    for (const { page } of rest) if (!known.has(page.id)) added.add(page.id);
    if (known.count() + added.size > mostPages) return null;
    for (const prepared of pages) changes.set(prepared.page.id, prepared);
    return outcomes;
  }

  return {
    async put(siteId, pages, mostPages) {
      const parts = partsOf(await prepare(pages), mostTerms);
      const outcomes: PutOutcome[] = [];
      for (const [i, part] of parts.entries()) {
        // The first part looks whether there is room for all. The rest may be late for it only where another call came
        // between; then what is written stays.
        const rest = i === 0 ? parts.slice(1).flat() : [];
        const put = await new Promise<PutOutcome[] | null>((resolve, reject) => {
          const terms = part.reduce((sum, { postings }) => sum + postings.terms.length, 0);
          enqueue({ kind: 'put', siteId, pages: part, rest, terms, mostPages, resolve, reject });
        });
        if (put === null) return null;
        outcomes.push(...put);
      }
      return outcomes;
    },
    remove: (siteId, ids) =>
      new Promise((resolve, reject) => enqueue({ kind: 'remove', siteId, ids, resolve, reject })),
    drop: (siteId) => new Promise((resolve, reject) => enqueue({ kind: 'drop', siteId, resolve, reject })),
    async settle() {
      while (draining) await draining;
    },
  };
}
