/** How deep the JSON of a body may nest. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { parseJson } from './parse-json.ts'

const nest = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)

test.each([
  ['32 arrays', nest(32)],
  ['32 objects', `${nest(31, '{"a":', '}').replace(':}', ':{}}')}`],
  ['many arrays side by side', `[${Array.from({ length: 1000 }, () => '[[]]').join()}]`],
  ['brackets in a text', JSON.stringify('['.repeat(100))],
  ['brackets behind an escaped quote', JSON.stringify(`"${'{'.repeat(100)}`)],
  ['brackets behind an escaped backslash', JSON.stringify({ a: '\\', b: '['.repeat(100) })],
])('parseJson takes %s', (_, text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text))
})

test.each([
  ['33 arrays', nest(33)],
  ['33 objects', nest(33, '{"a":', '}')],
  ['both, in turns', nest(17, '[{"a":', '}]')],
  ['arrays without an end', '['.repeat(1_000_000)],
  ['objects in a field', `{"config":${nest(300_000, '{"a":', '}')}}`],
  ['arrays behind a text with an escaped quote', `["\\"",${nest(33)}]`],
  ['arrays behind a text that ends with a backslash', `["\\\\",${nest(33)}]`],
])('parseJson refuses %s and says what to do', (_, text) => {
  proves('deep-json')
  expect(() => parseJson(text)).toThrow(
    expect.objectContaining({
      name: 'body-malformed',
      status: 400,
      message:
        'Cannot read the body: its arrays and objects nest deeper than 32, send a flatter one',
    }),
  )
})

test.each(['', '{', '[1,', '{"a"}', '"\\', ']'])(
  'parseJson refuses %j, which is no JSON',
  (text) => {
    expect(() => parseJson(text)).toThrow('it is not JSON')
  },
)
