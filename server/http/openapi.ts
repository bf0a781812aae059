import * as z from 'zod';
import type { Operation } from '../wire/operation.ts';
import { PROBLEMS, ProblemBody } from '../wire/problem.ts';

/** The OpenAPI 3.0 document of the operations, made from the same schemas that validate them. */
export function describeApi(operations: readonly Operation[], version: string): object {
  const schemas: Schemas = {};
  hoistDefinitions(plainSchema(ProblemBody, 'output'), 'output', schemas);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    paths[operation.path][operation.method] = describeOperation(operation, schemas);
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Gatehouse', version, license: { name: 'MIT' } },
    paths,
    components: {
      schemas,
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    },
  };
}

/** Named schemas, which many operations share. */
type Schemas = Record<string, object>;

function describeOperation(operation: Operation, schemas: Schemas): object {
  const { id, tag, summary, description, params, query, body, takesKey } = operation;
  const {
    bodyType = 'application/json',
    isBodyOptional = false,
    answer,
    otherAnswers = [],
    problems,
  } = operation;
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output') =>
    hoistDefinitions(plainSchema(schema, io), io, schemas);
  const byStatus = Map.groupBy(problems, (code) => PROBLEMS[code].status);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    // A key may be shown, and need not be.
    ...(takesKey && { security: [{}, { apiKey: [] }] }),
    ...((params || query) && {
      parameters: [
        ...(params ? describeParameters(params, 'path') : []),
        ...(query ? describeParameters(query, 'query') : []),
      ],
    }),
    ...(body && {
      requestBody: {
        required: !isBodyOptional,
        content: { [bodyType]: { schema: schemaOf(body, 'input') } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        [answer, ...otherAnswers].map(({ status, description: told, schema }) => [
          status,
          { description: told, ...(schema && { content: jsonContent(schemaOf(schema, 'output')) }) },
        ]),
      ),
      ...Object.fromEntries(
        [...byStatus].map(([status, codes]) => [
          status,
          {
            description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}`).join('. '),
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        ]),
      ),
    },
  };
}

function describeParameters(declared: z.ZodType, where: 'path' | 'query'): object[] {
  const { properties = {}, required = [] } = plainSchema(declared, 'input') as JsonObjectSchema;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: where,
    required: required.includes(name),
    ...(description && { description }),
    schema,
  }));
}

type JsonObjectSchema = { properties?: Record<string, { description?: string }>; required?: string[] };

const jsonContent = (schema: object) => ({ 'application/json': { schema } });

function plainSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { id: _, ...plain } = z.toJSONSchema(schema, { target: 'openapi-3.0', io }) as { id?: string };
  return plain;
}

/**
 * Moves the definitions that a schema brings along to those that all share, since OpenAPI 3.0 finds them only there
 * (§4.7.7). What is taken may differ from what is given under one name (a default makes a member optional): then the
 * taken form has a name of its own.
 */
function hoistDefinitions(schema: object, io: 'input' | 'output', schemas: Schemas): object {
  const { definitions = {}, ...plain } = schema as { definitions?: Schemas };
  const texts = new Map<string, string>();
  for (const [name, definition] of Object.entries(definitions)) {
    const { id: _, ...kept } = definition as { id?: string };
    texts.set(name, JSON.stringify(kept));
  }
  const isTaken = (name: string) =>
    schemas[name] !== undefined && JSON.stringify(schemas[name]) !== readdress(texts.get(name) ?? '', keep);
  const rename = (name: string) => (isOther.has(name) ? `${name}${SUFFIX[io]}` : name);
  const isOther = new Set([...texts.keys()].filter(isTaken));
  for (const [name, text] of texts) schemas[rename(name)] = JSON.parse(readdress(text, rename));
  return JSON.parse(readdress(JSON.stringify(plain), rename));
}

const SUFFIX = { input: 'Taken', output: 'Given' };
const keep = (name: string) => name;

const readdress = (text: string, rename: (name: string) => string) =>
  text.replace(/"#\/definitions\/([^"]+)"/g, (_, name: string) => `"#/components/schemas/${rename(name)}"`);
