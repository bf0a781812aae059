import type { PageSummary, StoredPage } from '../wire/page.ts';
import type { IndexPage } from './core/ports.ts';

/** A page as it goes over the wire, without its text. */
export const showSummary = (siteId: string, page: Omit<IndexPage, 'body' | 'headings'>): PageSummary => ({
  siteId,
  id: page.id,
  title: page.title,
  url: page.url,
  labels: [...page.labels],
  thumbnail: page.thumbnail,
  language: page.language,
  published: page.publishedAtSecs === null ? null : isoTime(page.publishedAtSecs),
  updated: isoTime(page.updatedAtSecs),
  source: page.source,
});

/** A page as it goes over the wire. */
export const showPage = (siteId: string, page: IndexPage): StoredPage => ({
  ...showSummary(siteId, page),
  body: page.body,
});

const isoTime = (secs: number) => new Date(secs * 1000).toISOString();
