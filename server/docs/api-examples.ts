const QUESTION = { model: 'echo', messages: [{ role: 'user', content: 'Is anybody there?' }] };

/** What the commands of the reference send, by operation. A test gives each of them to the schemas. */
export const EXAMPLES: Record<string, { query?: Record<string, string>; body?: unknown }> = {
  issueChallenge: { query: { route: 'demo' } },
  redeemChallenge: { body: { challenge: 'AQEBAAAU…', answer: '1048576' } },
  siteverify: { body: { secret: '1x0000000000000000000000000000000AA', response: 'AQECAAAU…' } },
  redeemCaptcha: { body: { response: 'the token of the CAPTCHA service' } },
  whois: { query: { queryIP: '2001:4860:4860::8888' } },
  inspect: { query: { queryIP: '203.0.113.7' } },
  inspectVisitor: {
    body: { queryIP: '203.0.113.7', headers: { 'user-agent': 'Mozilla/5.0' }, email: 'ada@example.org' },
  },
  startCrawl: { body: { url: 'https://www.example.org/docs/', pagesPerSecond: 1 } },
  readCrawl: { query: { limit: '100' } },
  putProfile: { body: { recrawlHours: 24, synonyms: [['car', 'automobile']] } },
  chat: { body: QUESTION },
  createChatCompletion: { body: QUESTION },
  createMessage: { body: { ...QUESTION, max_tokens: 256 } },
  submitDevice: {
    body: {
      browser: { family: 'firefox', major: 145 },
      system: 'android',
      cores: 8,
      memory_gb: null,
      kernels: { simd: 5_000_000, scalar: 2_000_000, javascript: 500_000 },
      workers: [{ workers: 1, rate: 5_000_000 }],
    },
  },
  putPages: {
    body: {
      title: 'Opening hours',
      body: 'Open every day from nine to five.',
      url: 'https://www.example.org/hours',
      labels: ['Visit'],
    },
  },
  makeSiteFromFeed: { query: { feedUrl: 'https://www.example.org/feed.xml' } },
  addFeed: { query: { feedUrl: 'https://www.example.org/feed.xml', fullPages: 'true' } },
  removeFeed: { query: { feedUrl: 'https://www.example.org/feed.xml' } },
  deletePageByUrl: { query: { url: 'https://www.example.org/hours' } },
  putSnapshot: {
    query: { url: 'https://www.example.org/' },
    body: '<title>Welcome</title><h1>Welcome</h1><p>Open every day.</p>',
  },
  search: { query: { query: 'opening+hours' } },
  autocomplete: { query: { query: 'open' } },
};
