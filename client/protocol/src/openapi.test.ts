/** The document of the distribution service: valid, complete and unambiguous. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { proves } from '../../../test/bed/proves.ts'
import * as protocol from './index.ts'
import { connectorOperations, dsOperations, type Operation, roles } from './index.ts'
import { createOpenApiDocument } from './openapi.ts'

interface Described {
  readonly operationId: string
  readonly security: readonly Record<string, readonly string[]>[]
  readonly parameters: readonly { name: string; in: string; required: boolean }[]
  readonly requestBody?: { readonly content: Record<string, { readonly examples?: unknown }> }
  readonly responses: Record<
    string,
    { description: string; content?: Record<string, unknown>; links?: unknown }
  >
}
interface Document {
  readonly openapi: string
  readonly servers: readonly { url: string }[]
  readonly paths: Record<string, Record<string, Described>>
}

const document = createOpenApiDocument(dsOperations, {
  title: 'Cardwire distribution service',
  version: '4.0.0',
  description: 'Versions, configurations, organizations, labels, tokens and installers',
  server: 'https://ds.cardwire.dev',
}) as Document

test.each([
  ['distribution service', document],
  [
    'connector',
    createOpenApiDocument(connectorOperations, {
      title: 'Cardwire connector',
      version: '4.0.0',
      description: 'Readers, cards, certificates',
      server: 'https://localhost:25100',
    }),
  ],
])(
  'createOpenApiDocument of the %s makes a valid document, without a warning',
  async (_, described) => {
    // Off: documents for anyone have nothing to be refused for, the tags are the resources by their own names, and a
    // connector is nowhere but on localhost.
    const rules = {
      'operation-4xx-response': 'off',
      'tag-description': 'off',
      'no-server-example.com': 'off',
    } as const
    const config = await createConfig({ extends: ['recommended'], rules })
    const problems = await lintFromString({
      source: JSON.stringify(described),
      absoluteRef: '/openapi.json',
      config,
    })

    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  },
)

test('createOpenApiDocument names the version of OpenAPI and the server', () => {
  expect(document.openapi).toBe('3.1.1')
  expect(document.servers).toEqual([{ url: 'https://ds.cardwire.dev' }])
})

describe('dsOperations', () => {
  test('have unique names', () => {
    const names = dsOperations.map(({ name }) => name)

    expect(new Set(names).size).toBe(names.length)
  })

  test('have unique methods and paths', () => {
    const routes = dsOperations.map(
      ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
    )

    expect(new Set(routes).size).toBe(routes.length)
  })

  test('have every operation that the contract exports, under its name', () => {
    const declared = Object.entries(protocol).filter(([, value]) => isOperation(value))

    expect(declared.map(([name]) => name).toSorted()).toEqual(
      [...dsOperations, ...connectorOperations].map(({ name }) => name).toSorted(),
    )
  })

  test.each(dsOperations)('$name declares the parameters of its path', ({ path, params }) => {
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)

    expect(Object.keys(params?.shape ?? {})).toEqual(placeholders)
  })

  test.each(dsOperations)('$name is described under its path', (operation) => {
    const described = describedOf(operation)

    expect(described?.operationId).toBe(operation.name)
    expect(Object.keys(described?.responses ?? {})).toContain('500')
  })

  test.each(dsOperations)(
    '$name lists each of its problems under the right status',
    (operation) => {
      for (const name of operation.problems) {
        const status = protocol.problems[name].status

        expect(describedOf(operation)?.responses[status]?.description).toContain(`${name}: `)
      }
    },
  )
})

describe('examples', () => {
  const inNeed = dsOperations.filter(({ params, body }) => params || body)

  test.each(inNeed)('$name has examples, each with another summary', ({ examples = [] }) => {
    const summaries = examples.map(({ summary }) => summary)

    expect(summaries).not.toEqual([])
    expect(new Set(summaries).size).toBe(summaries.length)
  })

  test.each(
    inNeed.flatMap(({ name, params, body, examples = [] }) =>
      examples.map((example) => ({ name, params, body, example })),
    ),
  )('$name accepts the example "$example.summary"', ({ params, body, example }) => {
    expect(Object.keys(example.params ?? {})).toEqual(Object.keys(params?.shape ?? {}))
    const written = body?.type === 'bytes' ? new Uint8Array(1) : example.body
    const schema = body?.type === 'stream' ? z.string() : (body?.schema ?? z.undefined())

    expect(z.safeParse(schema, written).error?.issues).toBeUndefined()
  })

  test('of a body are in the document, with their summaries', () => {
    const { requestBody } = describedOf(protocol.putOrganization) ?? {}

    expect(requestBody?.content['application/json']?.examples).toEqual({
      'a-new-organization': {
        summary: 'A new organization',
        value: { name: 'Example Organization' },
      },
      'a-new-name-for-an-organization': {
        summary: 'A new name for an organization',
        value: { id: 'exampleorganization', name: 'Example Organization, Ltd.' },
      },
    })
  })

  test('of a parameter are in the document, or are a link of the response that has the value', () => {
    expect(describedOf(protocol.getOrganization)?.parameters).toMatchObject([
      { name: 'id', example: 'exampleorganization' },
    ])
    expect(describedOf(protocol.getDevice)?.parameters[0]).not.toHaveProperty('example')
    expect(describedOf(protocol.registerDevice)?.responses[201]?.links).toMatchObject({
      getDevice: { operationId: 'getDevice', parameters: { id: '$response.body#/data/id' } },
    })
  })
})

describe('createOpenApiDocument', () => {
  test.each([
    { access: 'anyone', schemes: [] },
    { access: 'application', schemes: ['administrator', 'application'] },
    { access: 'api-key', schemes: ['apiKey'] },
  ])('gives operations for $access the schemes $schemes', ({ access, schemes }) => {
    const operations = dsOperations.filter((operation) => operation.access === access)

    expect(operations).not.toEqual([])
    for (const operation of operations) {
      expect(describedOf(operation)?.security.flatMap(Object.keys)).toEqual(schemes)
    }
  })

  test.each(roles)('names %s as the role that its operations need', (role) => {
    proves('least-role')
    const operations = dsOperations.filter(({ access }) => access === role)

    expect(operations).not.toEqual([])
    for (const operation of operations) {
      expect(describedOf(operation)?.security).toEqual([{ administrator: [role] }])
    }
  })

  test('marks required and optional parameters of a query', () => {
    const parameters = describedOf(protocol.listVersions)?.parameters

    expect(parameters?.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ['page', 'query', false],
      ['size', 'query', false],
      ['allowed', 'query', false],
    ])
  })

  test('marks parameters of a path as required', () => {
    expect(describedOf(protocol.getVersion)?.parameters).toMatchObject([
      { name: 'id', in: 'path', required: true },
    ])
  })

  test.each([
    { operation: protocol.putVersion, statuses: ['200', '201'] },
    { operation: protocol.rotateSigningKey, statuses: ['201'] },
    { operation: protocol.getLabel, statuses: ['200'] },
    { operation: protocol.downloadInstaller, statuses: ['200', '206', '302', '304'] },
  ])('lists the success responses of $operation.name', ({ operation, statuses }) => {
    const described = Object.keys(describedOf(operation)?.responses ?? {})

    expect(described.filter((status) => Number(status) < 400)).toEqual(statuses)
  })

  test('describes failures of the token endpoint in the form of OAuth', () => {
    const responses = describedOf(protocol.issueToken)?.responses ?? {}
    const refused = responses[400]

    expect(Object.keys(refused?.content ?? {})).toEqual(['application/json'])
    expect(refused?.description).toContain('input-invalid: ')
    expect(responses).not.toHaveProperty('422')
  })

  test('has no password in any response', () => {
    const answers = Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .map(({ responses }) => JSON.stringify(responses))

    expect(answers.filter((answer) => answer.includes('"password"'))).toEqual([])
  })
})

const describedOf = ({ method, path }: Operation) => document.paths[path]?.[method.toLowerCase()]

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value
