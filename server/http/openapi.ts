import * as z from 'zod';
import type { Operation } from '../wire/operation.ts';
import { PROBLEMS, ProblemBody } from '../wire/problem.ts';

/** The OpenAPI 3.0 document of the operations, made from the same schemas that validate them. */
export function describeApi(operations: readonly Operation[], version: string): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    paths[operation.path][operation.method] = describeOperation(operation);
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Gatehouse', version, license: { name: 'MIT' } },
    paths,
    components: {
      schemas: { Problem: schemaOf(ProblemBody, 'output') },
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    },
  };
}

function describeOperation({
  id,
  tag,
  summary,
  description,
  query,
  body,
  answer,
  problems,
  takesKey,
}: Operation): object {
  const byStatus = Map.groupBy(problems, (code) => PROBLEMS[code].status);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    // A key may be shown, and need not be.
    ...(takesKey && { security: [{}, { apiKey: [] }] }),
    ...(query && { parameters: describeQuery(query) }),
    ...(body && { requestBody: { required: true, content: jsonContent(schemaOf(body, 'input')) } }),
    responses: {
      [answer.status]: {
        description: answer.description,
        ...(answer.schema && { content: jsonContent(schemaOf(answer.schema, 'output')) }),
      },
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

function describeQuery(query: z.ZodType): object[] {
  const { properties = {}, required = [] } = schemaOf(query, 'input') as JsonObjectSchema;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description && { description }),
    schema,
  }));
}

type JsonObjectSchema = { properties?: Record<string, { description?: string }>; required?: string[] };

const jsonContent = (schema: object) => ({ 'application/json': { schema } });

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { id: _, ...plain } = z.toJSONSchema(schema, { target: 'openapi-3.0', io }) as { id?: string };
  return plain;
}
