/** Contains one violation of each rule of the layers and checks that it is reported. */
import { describe, expect, test } from 'vitest'
import { checkLayers, findSpecifiers, type Imports, layersOf } from './layers.ts'

const fileIn = (base: string, place: string) =>
  place.endsWith('.ts') ? `${base}/${place}` : `${base}/${place}/a.ts`

const reasons = (imports: Imports, table: typeof layersOf) =>
  checkLayers(imports, table).map(({ reason }) => reason)

describe.each(Object.entries(layersOf))('the layers of %s', (base, layers) => {
  const places = layers.flatMap((row, layer) => row.map((place) => ({ place, layer })))
  const table = { [base]: layers }
  const faultsOf = (from: string, to: string) =>
    reasons(
      new Map([
        [fileIn(base, from), [fileIn(base, to)]],
        [fileIn(base, to), []],
      ]),
      table,
    )

  test.each(places)('$place imports only what stands below it', ({ place, layer }) => {
    for (const other of places) {
      if (other.place === place) continue
      const reason = other.layer === layer ? 'stands in the same layer' : 'stands above'
      expect(faultsOf(place, other.place)).toEqual(other.layer > layer ? [] : [reason])
    }
  })

  test('a file outside of them is a fault', () => {
    const imports = new Map([[`${base}/elsewhere/a.ts`, []]])
    expect(reasons(imports, table)).toEqual(['stands in no layer'])
  })
})

describe('circles', () => {
  test.each([
    ['of two files', { a: ['b'], b: ['a'] }, 1],
    ['of three files', { a: ['b'], b: ['c'], c: ['a'] }, 1],
    ['of a file with itself', { a: ['a'] }, 1],
    ['beside each other', { a: ['b'], b: ['a'], c: ['d'], d: ['c'] }, 2],
    ['that are none: two ways to one file', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, 0],
  ])('%s', (_, imports, faults) => {
    expect(checkLayers(new Map(Object.entries(imports)))).toHaveLength(faults)
  })
})

test.each([
  ["import { a } from './a.ts'", ['./a.ts']],
  ["import type { A } from '../a.ts'", ['../a.ts']],
  ["import './a.ts'", ['./a.ts']],
  ["export { a } from './a.ts'", ['./a.ts']],
  ["const a = await import('./a.ts')", ['./a.ts']],
  ["import {\n  a,\n  b,\n} from './a.ts'", ['./a.ts']],
  ["import { hono } from 'hono'", ['hono']],
  ["import def, { a } from 'a/b'", ['a/b']],
  ["export type * from './a.ts'", ['./a.ts']],
  ["type A = import('./a.ts').A", ['./a.ts']],
  ["import text from './a.html' with { type: 'text' }", ['./a.html']],
  ["const text = 'import a'\nconst bytes = Buffer.from('ab')", []],
])('findSpecifiers of «%s»', (source, expected) => {
  expect(findSpecifiers(source)).toEqual(expected)
})
