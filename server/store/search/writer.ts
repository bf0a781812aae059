import type { IndexPage, PutOutcome } from '../../search/core/ports.ts';
import type { TextTools } from '../../search/core/text-tools.ts';
import type { Environment } from '../environment.ts';
import { applyToSite, noChanges, type PreparedPart, type SiteChanges } from './apply-changes.ts';
import { pageKey } from './keys.ts';
import { preparePages } from './prepare.ts';
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
  tools: TextTools;
  /** A text that no other write has. */
  newStamp(): string;
  /** Terms of all pages in one transaction, unless a single page has more. Others wait for as long as it takes. */
  mostTerms: number;
  /** Told of each site that was written to. What it gives is waited for before the next write. */
  onWritten(site: number): Promise<void> | null;
};

type Put = {
  kind: 'put';
  part: PreparedPart;
  /** Ids of pages of the same call that come in transactions of their own after this one: there must be room for them, too. */
  rest: readonly string[];
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
// Our choice: from this many pages on a write leaves enough behind for a second commit to be worth its while.
const MANY_PAGES = 200;

function pagesIn(operation: Operation): number {
  if (operation.kind === 'put') return operation.part.pages.length;
  return operation.kind === 'remove' ? operation.ids.length : 0;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Writes in groups: whatever comes while one transaction is under way goes into the next, together. Each promise is kept
 * when its transaction is on the disk.
 */
export function createWriter(deps: WriterDeps): Writer {
  const { environment, table, tools, newStamp, mostTerms, onWritten } = deps;
  const queue: Operation[] = [];
  let draining: Promise<void> | null = null;

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
      terms += operation.kind === 'put' ? operation.part.terms : 0;
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
          sites.clear();
          hasWritten = applyGroup(group, answers, sites);
        });
        // LMDB tells of no flush where there was nothing to flush: waiting for it would never end.
        if (hasWritten) await table.flushed;
      });
    } catch (cause) {
      for (const operation of group) operation.reject(cause);
      return;
    }
    for (const answer of answers) answer();
    for (const site of sites) await onWritten(site);
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
    const pending = new Map<string, SiteChanges>();
    const flush = (siteId: string) => {
      const changes = pending.get(siteId);
      pending.delete(siteId);
      if (!changes || changes.pages.size === 0) return;
      const site = claimSite(table, siteId);
      sites.add(site);
      applyToSite(table, site, changes, newStamp());
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
        changes = noChanges();
        pending.set(siteId, changes);
      }
      const known = pagesKnown(siteId, changes.pages);
      if (operation.kind === 'remove') {
        let removed = 0;
        for (const id of operation.ids) {
          if (!known.has(id)) continue;
          changes.pages.set(id, null);
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
  function pagesKnown(siteId: string, changes: SiteChanges['pages']) {
    const site = numberOfSite(table, siteId);
    const isStored = (id: string) => site > 0 && table.get(pageKey(site, id)) !== undefined;
    return {
      has: (id: string) => (changes.has(id) ? changes.get(id) !== null : isStored(id)),
      count() {
        let count = site > 0 ? readState(table, site).pages : 0;
        for (const [id, change] of changes) count += (change === null ? 0 : 1) - (isStored(id) ? 1 : 0);
        return count;
      },
    };
  }

  function stage(
    { part, rest, mostPages }: Put,
    changes: SiteChanges,
    known: { has(id: string): boolean; count(): number },
  ): PutOutcome[] | null {
    const added = new Set<string>();
    const outcomes = part.pages.map(({ page: { id } }) => {
      const isNew = !known.has(id) && !added.has(id);
      if (isNew) added.add(id);
      return { id, isNew };
    });
    for (const id of rest) if (!known.has(id)) added.add(id);
    if (known.count() + added.size > mostPages) return null;
    const place = changes.places;
    changes.places += part.pages.length;
    changes.parts.push({ part, place });
    for (const [i, prepared] of part.pages.entries())
      changes.pages.set(prepared.page.id, { prepared, place: place + i, blockPlace: place + prepared.block });
    return outcomes;
  }

  return {
    async put(siteId, pages, mostPages) {
      const outcomes: PutOutcome[] = [];
      // The part before the one that is prepared: it is written meanwhile.
      let writing: Promise<PutOutcome[] | null> | null = null;
      for (let at = 0; at < pages.length; ) {
        const part = await preparePages(pages, at, mostTerms, tools);
        // The first part looks whether there is room for all. The rest may be late for it only where another call came
        // between; then what is written stays.
        const rest = at === 0 ? pages.slice(part.pages.length).map(({ id }) => id) : [];
        at += part.pages.length;
        const before = await writing;
        if (writing !== null && before === null) return null;
        outcomes.push(...(before ?? []));
        writing = new Promise((resolve, reject) =>
          enqueue({ kind: 'put', siteId, part, rest, mostPages, resolve, reject }),
        );
        // It is waited for above or below, and may fail before.
        writing.catch(() => {});
      }
      const last = await writing;
      return last && [...outcomes, ...last];
    },
    remove: (siteId, ids) =>
      new Promise((resolve, reject) => enqueue({ kind: 'remove', siteId, ids, resolve, reject })),
    drop: (siteId) => new Promise((resolve, reject) => enqueue({ kind: 'drop', siteId, resolve, reject })),
    async settle() {
      while (draining) await draining;
    },
  };
}
