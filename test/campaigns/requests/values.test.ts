/** Generated values: that what is called valid is, for every operation, and that a number gives the same request each time. */
import { dsOperations, type Operation } from '@cardwire/protocol'
import { describe, expect, test } from 'vitest'
import { createRandom } from '../../bed/random.ts'
import { apiSurface, registrySurface } from './connector-samples.ts'
import { draftValid } from './draft.ts'
import { createDsSurface } from './ds-samples.ts'
import { planRequest, type Surface } from './generate.ts'

const surfaces: readonly (readonly [string, Surface])[] = [
  ['distribution service', createDsSurface(dsOperations)],
  ['API', apiSurface],
  ['registry', registrySurface],
]

/** What the program would put in; texts that a schema looks at in turn have their form. */
const learned: Readonly<Record<string, string>> = {
  password: 'p'.repeat(12),
  configuration: '7d6a3a52-6a1f-4d1b-9a53-000000000000',
  device: '7d6a3a52-6a1f-4d1b-9a53-000000000001',
  delivery: '7d6a3a52-6a1f-4d1b-9a53-000000000002',
  x: 'x'.repeat(43),
  y: 'y'.repeat(43),
}

const fillIn = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/\{\{([^:}]*)[^}]*\}\}/g, (_, name) => learned[name] ?? name),
  )

describe.each(surfaces)('requests to the %s', (_, surface) => {
  const isValid = ({ name }: Operation) => name !== 'registerAgent'
  test.each(surface.operations.filter(isValid).map((one) => [one.name, one] as const))(
    'a valid %s is valid by the schemas of the contract',
    (_name, operation) => {
      const random = createRandom(7)
      for (let n = 0; n < 60; n += 1) {
        const samples = surface.createSamples(operation, n % surface.slots, random)
        const { params, query, body } = draftValid(operation, random, samples)
        const { body: declared } = operation
        for (const [schema, value] of [
          [operation.params, params],
          [operation.query, query],
          [
            declared && 'schema' in declared && declared.type !== 'bytes'
              ? declared.schema
              : undefined,
            body,
          ],
        ] as const) {
          if (schema) expect(schema.safeParse(fillIn(value)).error?.issues).toBeUndefined()
        }
      }
    },
  )

  test('a number gives the same request each time, whatever was made before', () => {
    const one = [3, 900, 4].map((number) => planRequest(surface, 5, number))
    const other = [4, 3, 900].map((number) => planRequest(surface, 5, number))
    expect([one[0], one[1], one[2]]).toEqual([other[1], other[2], other[0]])
    expect(planRequest(surface, 6, 3)).not.toEqual(one[0])
  })

  test('every kind is drawn within a short campaign', () => {
    const drawn = Array.from({ length: 6000 }, (_, number) => planRequest(surface, 1, number))
    const kinds = new Set(drawn.map(({ kind }) => kind))
    expect(kinds.size).toBeGreaterThan(70)
  })
})
