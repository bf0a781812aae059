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
  params,
  query,
  body,
  bodyType = 'application/json',
  isBodyOptional = false,
  answer,
  otherAnswers = [],
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
  const { properties = {}, required = [] } = schemaOf(declared, 'input') as JsonObjectSchema;
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

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { id: _, ...plain } = z.toJSONSchema(schema, { target: 'openapi-3.0', io }) as { id?: string };
  return plain;
}
