/** The versions of legacy clients that `npm test` runs. */
import { expect, test } from 'vitest'
import { getAmount } from '../../../../test/bed/amounts.ts'
import { differing, type Generation, generations, testedGenerations } from './generations.ts'

/** Each value of each column but the version. */
const collectValues = (rows: readonly Generation[]): readonly string[] => {
  const values = rows.flatMap(({ version: _, ...row }) =>
    Object.entries(row).map(([column, value]) => `${column}: ${value}`),
  )
  return [...new Set(values)].toSorted()
}

test('they have each way in which versions differ on the wire', () => {
  const chosen = generations.filter(({ version }) => differing.includes(version))
  expect(chosen.map(({ version }) => version)).toEqual(differing)
  expect(collectValues(chosen)).toEqual(collectValues(generations))
})

test('as many run as the end of a run says', () => {
  expect(testedGenerations).toHaveLength(getAmount('versions of legacy clients'))
})
