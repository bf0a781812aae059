import { escapeHtml } from '../http/pages.ts';
import { EXAMPLES } from './api-examples.ts';
import type { RenderedPage } from './markdown.ts';
import { describeShape, inText, type Schema, type Schemas } from './schema-shape.ts';

/** What is read of an OpenAPI 3.0 document. */
export type ApiDocument = {
  paths: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Schemas };
};
type Content = Record<string, { schema?: Schema }>;
type Answer = { description: string; content?: Content };
type ApiOperation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: object[];
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, Answer>;
};

/**
 * The reference of the interface, from the OpenAPI document: plain HTML, which needs no script and no style of its own.
 * @param origin where the examples call
 */
export function renderReference(document: ApiDocument, origin: string): RenderedPage {
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => ({ path, method, operation })),
  );
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? 'Other');
  const { schemas } = document.components;
  const sections = [...byTag].map(
    ([tag, list]) =>
      `<h2 id="${idOf(tag)}">${escapeHtml(tag)}</h2>\n${list
        .map(({ path, method, operation }) => renderOperation(path, method, operation, schemas, origin))
        .join('\n')}`,
  );
  return {
    title: 'API reference',
    description:
      'Every endpoint of this server: parameters, bodies, answers and refusals, each with a command to try.',
    html: [
      '<h1 id="api-reference">API reference</h1>',
      '<p>Every endpoint of this server, with a command to try it. Programs read the same as an OpenAPI 3.0 document: <a href="/openapi.json">openapi.json</a>. Refusals have one form, told at <a href="/docs/errors">Errors</a>; what a key changes is told at <a href="/docs/access">API keys, tiers and limits</a>.</p>',
      '<p>Commands about a site take its id and its secret from the shell. These make a site, and set both; <code>PAGE_ID</code> and <code>CRAWL_ID</code> are told where a page is put and a crawl is started. An answer 401 of a gated route is its price: <a href="/docs/gate">how it is paid</a>.</p>',
      `<pre tabindex="0"><code>${escapeHtml(siteCommands(origin))}</code></pre>`,
      ...sections,
    ].join('\n'),
    headings: [...byTag.keys()].map((tag) => ({ level: 2, id: idOf(tag), text: tag })),
  };
}

function renderOperation(
  path: string,
  method: string,
  operation: ApiOperation,
  schemas: Schemas,
  origin: string,
): string {
  const { operationId, summary, description, security, parameters = [], requestBody, responses } = operation;
  const named = METHODS[method] ?? method.toUpperCase();
  const parts = [
    `<h3 id="${escapeHtml(operationId)}"><span class="method">${named}</span> <code class="path">${breakable(path)}</code></h3>`,
    `<p>${inText(summary)}.${description ? ` ${inText(description)}` : ''}${security ? ' Takes an API key in <code>X-API-Key</code>.' : ''}</p>`,
    `<pre tabindex="0"><code>${escapeHtml(exampleOf(path, method, operation, origin))}</code></pre>`,
  ];
  if (parameters.length > 0) parts.push('<h4>Parameters</h4>', parameterTable(parameters));
  for (const [type, { schema }] of Object.entries(requestBody?.content ?? {})) {
    parts.push(`<h4>Body</h4><p class="kind">${escapeHtml(type)}</p>`, describeShape(schema ?? {}, schemas));
  }
  parts.push('<h4>Answers</h4>', answerTable(responses));
  const [status, schema] = firstAnswer(responses);
  if (schema) parts.push(`<h4>Body of the ${status}</h4>`, describeShape(schema, schemas));
  return parts.join('\n');
}

function parameterTable(parameters: NonNullable<ApiOperation['parameters']>): string {
  const rows = parameters.map(
    ({ name, in: where, required, description = '' }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${where}${required ? ', required' : ''}</td><td>${inText(description)}</td></tr>`,
  );
  return table(['name', 'where', 'meaning'], rows);
}

function answerTable(responses: ApiOperation['responses']): string {
  const rows = Object.entries(responses).map(
    ([status, { description }]) => `<tr><td>${escapeHtml(status)}</td><td>${inText(description)}</td></tr>`,
  );
  return table(['status', 'meaning'], rows);
}

const table = (heads: string[], rows: string[]) =>
  `<div class="wide" role="group" aria-label="Table" tabindex="0"><table><thead><tr>${heads
    .map((head) => `<th>${head}</th>`)
    .join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;

function firstAnswer(responses: ApiOperation['responses']): [string, Schema | null] {
  for (const [status, { content }] of Object.entries(responses)) {
    const schema = content?.['application/json']?.schema;
    if (schema && status.startsWith('2')) return [status, schema];
  }
  return ['', null];
}

/** A command for a shell. Names of a site and the like stand in it as the variables that the first examples set. */
function exampleOf(
  path: string,
  method: string,
  { operationId, requestBody, parameters = [] }: ApiOperation,
  origin: string,
) {
  const { query = {}, body } = EXAMPLES[operationId] ?? {};
  const asked = new Map(Object.entries(query));
  if (parameters.some(({ name }) => name === 'siteSecret')) asked.set('siteSecret', '$SITE_SECRET');
  const search = [...asked].map(([name, value]) => `${name}=${value}`).join('&');
  const target = `${origin}${path.replace(/\{(\w+)\}/g, (_, name: string) => VARIABLES[name] ?? `$${name}`)}`;
  const [type] = Object.keys(requestBody?.content ?? {});
  const lines = [
    `curl ${method === 'get' ? '-s' : `-s -X ${method.toUpperCase()}`} "${target}${search === '' ? '' : `?${search}`}"`,
    ...(type && body !== undefined
      ? [
          `  -H 'Content-Type: ${type}'`,
          `  -d '${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}'`,
        ]
      : []),
  ];
  return lines.join(' \\\n');
}

/** Without any tool that a fresh machine lacks. */
const siteCommands = (origin: string) =>
  [
    `SITE=$(curl -s -X POST "${origin}/sites")`,
    ...['SITE_ID siteId', 'SITE_SECRET siteSecret'].map((pair) => {
      const [variable, member] = pair.split(' ');
      return `${variable}=$(echo "$SITE" | sed 's/.*"${member}":"\\([^"]*\\)".*/\\1/')`;
    }),
  ].join('\n');

const VARIABLES: Record<string, string> = {
  siteId: '$SITE_ID',
  pageId: '$PAGE_ID',
  crawlId: '$CRAWL_ID',
};

const METHODS: Record<string, string> = { get: 'GET', post: 'POST', put: 'PUT', delete: 'DELETE' };

const idOf = (tag: string) => `about-${tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;

/** A path breaks after its slashes. */
const breakable = (path: string) => escapeHtml(path).replaceAll('/', '/<wbr>');
