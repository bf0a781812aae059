/** One page that was found. `title`, `body` and `url` hold highlights; `href` is http(s). */
export type Result = {
  id: string;
  title: string;
  body: string;
  url: string;
  href: string;
  thumbnail: string | null;
};

export type Category = { label: string; count: number };

/** What the bar shows of an answer of `GET /sites/{siteId}/search`. */
export type Answer = {
  total: number;
  results: readonly Result[];
  categories: readonly Category[];
  suggestion: string | null;
};

/** Reads an answer from JSON, null where it is none. A result whose address no browser should follow is left out. */
export function readAnswer(json: unknown): Answer | null {
  const { total, results, labels, suggestion } = (json ?? {}) as Record<string, unknown>;
  if (typeof total !== 'number' || !Array.isArray(results) || !Array.isArray(labels)) return null;
  return {
    total,
    results: results.flatMap((result) => readResult(result)),
    categories: labels,
    suggestion: suggestion ? String(suggestion) : null,
  };
}

function readResult({ id, title, body, url, urlRaw, thumbnail }: Record<string, unknown>): Result[] {
  if (!isWebAddress(urlRaw)) return [];
  return [
    {
      id: String(id),
      title: String(title),
      body: String(body),
      url: String(url),
      href: urlRaw,
      thumbnail: isWebAddress(thumbnail) ? thumbnail : null,
    },
  ];
}

const isWebAddress = (text: unknown): text is string =>
  typeof text === 'string' && /^https?:\/\//i.test(text);
