/** Makes the OpenAPI 3.1 document of a list of operations (spec.openapis.org/oas/v3.1.1). */
import * as z from 'zod/mini'
import { getLeastRole } from './least-role.ts'
import { problemsByAccess, schemesByAccess, securitySchemes } from './openapi-access.ts'
import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from './openapi-document.ts'
import { createLinks, toBodyExamples, toParameterExample } from './openapi-examples.ts'
import { mediaTypes, type Operation } from './operation.ts'
import { ProblemBody, type ProblemName, problems, problemType } from './problem.ts'

export type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
} from './openapi-document.ts'

interface Info {
  readonly title: string
  readonly version: string
  readonly description: string
  /** The address that the paths of the operations follow; it may be relative to the document's own. */
  readonly server: string
}

export function createOpenApiDocument(
  operations: readonly Operation[],
  info: Info,
): OpenApiDocument {
  const paths: Record<string, Record<string, OperationObject>> = {}
  const links = createLinks(operations)
  for (const operation of operations) {
    paths[operation.path] ??= {}
    const item = paths[operation.path] ?? {}
    item[operation.method.toLowerCase()] = toOperationObject(operation, links)
  }
  const { server, ...rest } = info
  return {
    openapi: '3.1.1',
    info: { ...rest, license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } },
    servers: [{ url: server }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: Object.fromEntries(
        Object.entries(securitySchemes).filter(([name]) =>
          operations.some(({ access }) =>
            (schemesByAccess[access] as readonly string[]).includes(name),
          ),
        ),
      ),
      schemas: {
        Problem: toJsonSchema(ProblemBody, 'output'),
        ...(operations.some(({ failures }) => failures === 'oauth') && {
          OAuthError: oauthErrorSchema,
        }),
      },
    },
  }
}

/** The body of a failure by RFC 6749 §5.2. */
const oauthErrorSchema = {
  type: 'object',
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
  required: ['error'],
}

function toOperationObject(operation: Operation, links: Links): OperationObject {
  const { name, tag, summary, description, access, params, query, headers, body } = operation
  const parameters = [
    ...[...toParameterObjects('path', params), ...toParameterObjects('query', query)].map(
      (parameter) => ({ ...parameter, ...toParameterExample(operation, parameter.name) }),
    ),
    ...toParameterObjects('header', headers),
  ]
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: schemesByAccess[access].map((scheme) => ({
      [scheme]: scheme === 'administrator' ? toRoleNames(operation) : [],
    })),
    parameters,
    ...(body && {
      requestBody: {
        required: !('optional' in body && body.optional),
        content: Object.fromEntries(
          getMediaTypes(body).map((media) => [
            media,
            { ...toMediaTypeObject(body), ...toBodyExamples(operation, media) },
          ]),
        ),
      },
    }),
    responses: {
      ...addLinks(toSuccessResponses(operation), links.get(name)),
      ...toFailureResponses(operation),
    },
  }
}

/** The least role, as OpenAPI names the roles that a scheme needs (§4.8.30). */
function toRoleNames(operation: Operation): readonly string[] {
  const role = getLeastRole(operation)
  return role ? [role] : []
}

type Links = ReturnType<typeof createLinks>

const addLinks = (responses: Record<string, ResponseObject>, links: ResponseObject['links']) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      links ? { ...response, links } : response,
    ]),
  )

type Body = NonNullable<Operation['body']>

const getMediaTypes = (body: Body): readonly string[] =>
  'media' in body ? body.media : mediaTypes[body.type]

/** Bytes have no schema: their media type describes them (§4.8.14.3). */
const toMediaTypeObject = (body: Body) =>
  'media' in body ? {} : { schema: toJsonSchema(body.schema, 'input') }

function toParameterObjects(
  location: 'path' | 'query' | 'header',
  fields: z.ZodMiniObject | undefined,
): ParameterObject[] {
  if (!fields) return []
  return Object.entries(fields.shape).map(([name, field]) => {
    const { description, ...rest } = toJsonSchema(field, 'input')
    const required = location === 'path' || !z.safeParse(z.object({ field }), {}).success
    return {
      name,
      in: location,
      required,
      ...(typeof description === 'string' && { description }),
      schema: rest,
    }
  })
}

function toSuccessResponses({
  reply,
  body,
  pages,
  method,
  entityTag,
}: Operation): Record<string, ResponseObject> {
  if (reply.kind === 'response') {
    const whole = { description: reply.description, content: { [reply.media]: {} } }
    return pages && !body && method === 'GET'
      ? {
          200: whole,
          206: { description: 'The requested part of the file' },
          302: { description: 'The file is at another URL' },
          304: {
            description: 'Not modified: the caller already has the file that If-None-Match names',
          },
        }
      : { 200: whole }
  }
  if (reply.kind === 'document') {
    return {
      200: {
        description: 'Done',
        content: { [reply.media]: { schema: toJsonSchema(reply.schema, 'output') } },
      },
    }
  }
  const envelope = {
    type: 'object',
    properties: {
      success: { type: 'boolean', const: true },
      data: toJsonSchema(reply.schema, 'output'),
    },
    required: ['success', 'data'],
  }
  const descriptions = { 200: 'Done', 201: 'Created' }
  const statuses = reply.kind === 'upsert' ? ([200, 201] as const) : [reply.status]
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: descriptions[status],
        ...(entityTag && { headers: entityTagHeader }),
        content: { 'application/json': { schema: envelope } },
      },
    ]),
  )
}

const entityTagHeader = {
  ETag: {
    description: 'The revision, for If-Match',
    schema: { type: 'string' },
    example: '"3"',
  },
}

function toFailureResponses(operation: Operation): Record<string, ResponseObject> {
  const names = new Set<ProblemName>([
    ...operation.problems,
    ...problemsByAccess[operation.access],
    ...(operation.pages === 'refused' ? (['page-refused'] as const) : []),
    ...(operation.programs === 'refused' ? (['program-refused'] as const) : []),
    ...(operation.body
      ? ([
          'body-malformed',
          'request-too-slow',
          'body-too-large',
          'content-type-unsupported',
          'input-invalid',
        ] as const)
      : []),
    ...(operation.params || operation.query || operation.headers
      ? (['input-invalid'] as const)
      : []),
    'internal',
  ])
  const byStatus = Map.groupBy(names, (name) =>
    operation.failures === 'oauth' && name === 'input-invalid' ? 400 : problems[name].status,
  )
  const content =
    operation.failures === 'empty'
      ? undefined
      : operation.failures === 'oauth'
        ? { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } }
        : { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      {
        description: names.map((name) => `${name}: ${problems[name].title}`).join('; '),
        ...(content && { content }),
      },
    ]),
  )
}

/** The JSON Schema (2020-12) of a zod schema, without the rules that JSON Schema cannot express. */
function toJsonSchema(type: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  return rest
}
