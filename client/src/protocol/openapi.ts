/** Writes operations as an OpenAPI 3.1 document (spec.openapis.org/oas/v3.1.1). */
import * as z from 'zod/mini'
import type { Access, Operation } from './operation.ts'
import { ProblemBody, type ProblemName, problems, problemType } from './problem.ts'

interface Info {
  readonly title: string
  readonly version: string
  readonly description: string
  /** The address the operations lie below. */
  readonly server: string
}

/** The security schemes by name, and which of them each kind of access takes: any one of its list. */
const schemes = {
  administrator: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "An administrator's access token, from the identity provider",
  },
  application: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An application token, from /v3/tokens/application',
  },
  management: {
    type: 'http',
    scheme: 'bearer',
    description: "The management token, from the runtime folder of the connector's user",
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'apikey', description: "A label's API key" },
  installationKey: {
    type: 'apiKey',
    in: 'header',
    name: 'apikey',
    description: "A version's installation key",
  },
  device: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An assertion by the identity key of a device, made for this one request',
  },
} as const
const accepted: Record<Access, readonly (keyof typeof schemes)[]> = {
  anyone: [],
  administrator: ['administrator'],
  application: ['administrator', 'application'],
  'api-key': ['apiKey'],
  registration: ['installationKey'],
  device: ['device'],
  local: ['administrator'],
  consented: ['application'],
  management: ['management'],
}
/** What any operation with that access may be refused for. */
const refusals: Record<Access, readonly ProblemName[]> = {
  anyone: [],
  administrator: ['token-refused', 'role-missing', 'provider-unreachable'],
  application: ['token-refused', 'role-missing', 'provider-unreachable'],
  'api-key': ['api-key-refused', 'too-many-requests'],
  registration: ['api-key-refused', 'too-many-requests'],
  device: [
    'assertion-refused',
    'assertion-replayed',
    'clock-skewed',
    'device-blocked',
    'device-unknown',
  ],
  local: ['token-refused', 'role-missing', 'provider-unreachable'],
  consented: ['token-refused', 'consent-required', 'origin-refused', 'csrf-header-missing'],
  management: ['token-refused', 'management-refused', 'csrf-header-missing'],
}

export function openapi(operations: readonly Operation[], info: Info): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    paths[operation.path] ??= {}
    const item = paths[operation.path] ?? {}
    item[operation.method.toLowerCase()] = describe(operation)
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
        Object.entries(schemes).filter(([name]) =>
          operations.some(({ access }) => (accepted[access] as readonly string[]).includes(name)),
        ),
      ),
      schemas: {
        Problem: schema(ProblemBody, 'output'),
        ...(operations.some(({ failures }) => failures === 'oauth') && { OAuthError: oauthError }),
      },
    },
  }
}

/** A failure as RFC 6749 §5.2 tells it. */
const oauthError = {
  type: 'object',
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
  required: ['error'],
}

function describe(operation: Operation): object {
  const { name, tag, summary, description, access, params, query, headers, body } = operation
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: accepted[access].map((scheme) => ({ [scheme]: [] })),
    parameters: [
      ...parameters('path', params),
      ...parameters('query', query),
      ...parameters('header', headers),
    ],
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(mediaOf(body).map((media) => [media, contentOf(body)])),
      },
    }),
    responses: { ...successes(operation), ...failures(operation) },
  }
}

type Body = NonNullable<Operation['body']>

const mediaOf = (body: Body): readonly string[] =>
  body.type === 'bytes'
    ? body.media
    : [body.type === 'form' ? 'application/x-www-form-urlencoded' : 'application/json']

/** Bytes have no schema: their media type says what they are (§4.8.14.3). */
const contentOf = (body: Body) =>
  body.type === 'bytes' ? {} : { schema: schema(body.schema, 'input') }

function parameters(
  place: 'path' | 'query' | 'header',
  fields: z.ZodMiniObject | undefined,
): object[] {
  if (!fields) return []
  return Object.entries(fields.shape).map(([name, field]) => {
    const { description, ...rest } = schema(field, 'input')
    const required = place === 'path' || !z.safeParse(z.object({ field }), {}).success
    return {
      name,
      in: place,
      required,
      ...(description !== undefined && { description }),
      schema: rest,
    }
  })
}

function successes({ reply, body, pages, method }: Operation): Record<string, object> {
  if (reply.kind === 'response') {
    const bytes = { description: reply.description, content: { [reply.media]: {} } }
    return pages && !body && method === 'GET'
      ? { 200: bytes, 206: { description: 'Part of it' }, 302: { description: 'Kept elsewhere' } }
      : { 200: bytes }
  }
  if (reply.kind === 'document') {
    return {
      200: {
        description: 'Done',
        content: { [reply.media]: { schema: schema(reply.schema, 'output') } },
      },
    }
  }
  const envelope = {
    type: 'object',
    properties: { success: { type: 'boolean', const: true }, data: schema(reply.schema, 'output') },
    required: ['success', 'data'],
  }
  const said = { 200: 'Done', 201: 'Created' }
  const statuses = reply.kind === 'upsert' ? ([200, 201] as const) : [reply.status]
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      { description: said[status], content: { 'application/json': { schema: envelope } } },
    ]),
  )
}

function failures(operation: Operation): Record<string, object> {
  const names = new Set<ProblemName>([
    ...operation.problems,
    ...refusals[operation.access],
    ...(operation.pages === 'refused' ? (['page-refused'] as const) : []),
    ...(operation.body
      ? (['body-malformed', 'body-too-large', 'content-type-unsupported', 'input-invalid'] as const)
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
    operation.failures === 'oauth'
      ? { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } }
      : { [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } }
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [
      status,
      { description: of.map((name) => `${name}: ${problems[name].title}`).join('; '), content },
    ]),
  )
}

/** The JSON Schema (2020-12) of a shape; what only code can check is left to its description. */
function schema(type: z.core.$ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  return rest
}
