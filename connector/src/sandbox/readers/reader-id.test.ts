/** Identifiers of readers. */
import { expect, test } from 'vitest'
import { createReaderIds } from './reader-id.ts'

test('an id is the same whatever the other readers are', () => {
  const one = createReaderIds(['Reader A', 'Reader B'])
  expect(createReaderIds(['Reader B']).get('Reader B')).toBe(one.get('Reader B'))
  expect(one.get('Reader A')).toMatch(/^[0-9a-f]{16}$/)
})

test('two readers never share an id, and keep theirs in any order', () => {
  const clash = (text: string) => (text.includes('\0') ? 'second' : 'first')
  const ids = createReaderIds(['B', 'A'], clash)
  expect(ids).toEqual(
    new Map([
      ['A', 'first'],
      ['B', 'second'],
    ]),
  )
  expect(createReaderIds(['A', 'B'], clash)).toEqual(ids)
})
