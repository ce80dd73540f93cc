/** Which texts of a catalog no program reads. */
import { expect, test } from 'vitest'
import { findUnusedKeys, readKeys } from './catalog-keys.ts'

const catalog = `
import { count } from './count.ts'
const local = { no: 'text' }
export const page = {
  title: 'A title',
  'card-absent': 'No card',
  pin: { prompt: (name: string) => \`\${name}: \${{ inner: 1 }.inner}\`, submit: { sign: 'Sign' } },
  ...local,
}
export type Page = typeof page
`

test('the keys of a catalog are the paths of its texts', () => {
  expect(readKeys('page.ts', catalog)).toEqual([
    'title',
    'card-absent',
    'pin.prompt',
    'pin.submit.sign',
  ])
})

test('a key is unused when a part of it is a word of no source', () => {
  const sources = [
    "const { title } = texts; throw new Problem('card-absent')",
    'texts.pin.prompt(name)',
  ]
  const keys = readKeys('page.ts', catalog)
  expect(findUnusedKeys(keys, sources)).toEqual(['pin.submit.sign'])
  expect(findUnusedKeys(keys, [...sources, 'pin.submit["sign"]'])).toEqual([])
})
