/** Names of readers as bytes, and back. */
import { describe, expect, test } from 'vitest'
import { decodeNames, encodeName } from './names.ts'

const multi = (names: readonly string[], text: 'utf-8' | 'utf-16le') =>
  Buffer.concat([...names.map((name) => encodeName(name, text)), encodeName('', text)])

describe.each(['utf-8', 'utf-16le'] as const)('%s', (text) => {
  test.each([
    { behaviour: 'none', names: [] },
    { behaviour: 'one', names: ['Reader 00 00'] },
    { behaviour: 'several', names: ['Reader 00 00', 'Lesegerät №1', '読取装置', '🂡 card'] },
    { behaviour: 'names of 127 characters', names: ['é'.repeat(127), 'x'.repeat(127)] },
  ])('reads $behaviour back', ({ names }) => {
    expect([...decodeNames(multi(names, text), text).keys()]).toEqual(names)
  })

  test('keeps the bytes of each name, with its zero', () => {
    const [[, bytes] = []] = [...decodeNames(multi(['é'], text), text)]
    expect(bytes).toEqual(encodeName('é', text))
  })

  test('reads a list that lacks its last zero', () => {
    expect([...decodeNames(encodeName('Reader', text), text).keys()]).toEqual(['Reader'])
  })
})

test('a name that was cut in the middle of a character keeps its bytes', () => {
  const cut = Uint8Array.of(0x52, 0xc3, 0)
  const names = decodeNames(Buffer.concat([cut, Uint8Array.of(0)]), 'utf-8')
  expect([...names]).toEqual([['R\ufffd', cut]])
})

test('names that read the same get a number', () => {
  const bytes = Uint8Array.of(0x52, 0xc3, 0, 0x52, 0xc4, 0, 0)
  expect([...decodeNames(bytes, 'utf-8').keys()]).toEqual(['R\ufffd', 'R\ufffd (2)'])
})
