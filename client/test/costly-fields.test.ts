/** How long the fields of bodies take to parse, each with what is worst for a parser: a stranger may send them. */

import { connectorOperations } from '@cardwire/protocol/connector'
import { dsOperations } from '@cardwire/protocol/ds'
import type { Operation } from '@cardwire/protocol/operation'
import { expect, test } from 'vitest'
import { findCostlyPatterns } from '../../test/bed/costly-requests.ts'
import { getBodySchema, listTexts } from '../../test/bed/hostile-bodies.ts'
import { proves } from '../../test/bed/proves.ts'

/** Characters; all fields of a body have 1 MiB together. */
const size = 60_000

const findCostlyFields = async (operation: Operation): Promise<readonly string[]> => {
  const schema = getBodySchema(operation) as NonNullable<Operation['params']> | undefined
  if (!schema) return []
  const costly: string[] = []
  // One after the other: each is measured.
  for (const { path, write } of listTexts(schema)) {
    const place = `${operation.name} ${path.join('.')}`
    const parse = (text: string) => schema.safeParse(JSON.parse(write(text)))
    costly.push(...(await findCostlyPatterns(place, size, parse)))
  }
  return costly
}

test.each([
  ['distribution service', dsOperations],
  ['connector', connectorOperations],
] as const)(
  'every field of a body that the %s takes is parsed in linear time, or in less than 5 ms',
  async (_, operations) => {
    proves('costly-field')
    const costly: string[] = []
    for (const operation of operations) costly.push(...(await findCostlyFields(operation)))
    expect(costly).toEqual([])
  },
)

test('a field that takes quadratic time is found', async () => {
  const search = (text: string) => /a+$/.test(`${text}b`)
  expect(await findCostlyPatterns('field', 16_000, search)).toContainEqual(
    expect.stringMatching(/letters: /),
  )
})
