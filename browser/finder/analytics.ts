/** What a page's own analytics left in `window`. */
export type Trackers = {
  gtag?: unknown;
  dataLayer?: unknown;
  _paq?: unknown;
};

/**
 * Reports a query as a page view whose URL carries `?query=`, to whatever analytics the page itself runs: Google's
 * `gtag`, else the `dataLayer` of a tag manager; and Matomo's `_paq`. Loads nothing.
 *
 * @param trackingId measurement id, for `gtag` and the tag manager
 */
export function reportQuery(trackers: Trackers, pageUrl: string, query: string, trackingId: string): void {
  const url = new URL(pageUrl);
  url.searchParams.set('query', query);
  url.hash = '';
  const view = { page_location: url.href, page_path: url.pathname + url.search, send_to: trackingId };
  const { gtag, dataLayer, _paq } = trackers;
  if (typeof gtag === 'function') gtag('event', 'page_view', view);
  else push(dataLayer, { event: 'page_view', ...view });
  push(_paq, ['setCustomUrl', url.href]);
  push(_paq, ['trackPageView']);
  // What the page reports after it is about the page again.
  push(_paq, ['setCustomUrl', pageUrl]);
}

/** Both are arrays until the tracker's script is there, then objects that take what is pushed. */
function push(queue: unknown, item: unknown): void {
  const pushable = queue as { push?: unknown } | null | undefined;
  if (typeof pushable?.push === 'function') pushable.push(item);
}
