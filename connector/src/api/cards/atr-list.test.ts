/** What lists of known cards say, whatever they hold. */
import { describe, expect, test } from 'vitest'
import { parseAtrList } from './atr-list.ts'

const text = `# a comment
3B .. .. AA
\tAny card that ends in AA

3B 01 02 AA
\tThe very card
\thttps://card.example

3B 0[1,3] 02 AA
\tOne or three

3B 0[4-6] 02 AA
\tFour to six

3B EF .* 38
\tAnything between
\tThe very card
`

const list = parseAtrList(text)

describe('describe', () => {
  test.each([
    ['3B010299', []],
    ['', []],
    ['not hex', []],
    [
      '3B0102AA',
      ['The very card', 'https://card.example', 'Any card that ends in AA', 'One or three'],
    ],
    [
      '3b0102aa',
      ['The very card', 'https://card.example', 'Any card that ends in AA', 'One or three'],
    ],
    ['3B 03 02 AA', ['Any card that ends in AA', 'One or three']],
    ['3B0502AA', ['Any card that ends in AA', 'Four to six']],
    ['3B0102AA00', []],
    ['003B0102AA', []],
    ['3BEF38', ['Anything between', 'The very card']],
    ['3BEF0011223338', ['Anything between', 'The very card']],
    ['3BEF00', []],
    ['3BEF3800', []],
    ['003BEF38', []],
  ])('of %j is %j', (atr, expected) => {
    expect(list.describe(atr)).toEqual(expected)
  })

  test('returns each description once, when several lists contain it', () => {
    const twice = parseAtrList('3B 00\n\tA card\n\n3B 00\n\tA card\n\n3B ..\n\tA card\n\tOf a kind')

    expect(twice.describe('3B00')).toEqual(['A card', 'Of a kind'])
  })
})

describe('parseAtrList', () => {
  test('counts entries and finds nothing wrong with a good list', () => {
    expect(list).toMatchObject({ size: 5, skipped: 0 })
  })

  test.each([
    { line: 'a word', text: 'hello\n\tA card' },
    { line: 'half a byte', text: '3B 0\n\tA card' },
    { line: 'a group', text: '3B (00|01)\n\tA card' },
    { line: 'repeated repetition', text: '3B (.*)*\n\tA card' },
    { line: 'many repetitions', text: '3B .* 00 .* 00 .* 00 .* 00\n\tA card' },
    { line: 'an open set', text: '3B 0[12\n\tA card' },
    { line: 'a set that runs backwards', text: '3B 0[F-A]\n\tA card' },
    { line: 'an entry of a megabyte', text: `${'3B '.repeat(350_000)}\n\tA card` },
    { line: 'an entry of 34 bytes', text: `${'3B '.repeat(34)}\n\tA card` },
    { line: 'a description of nothing', text: '\tA card' },
    { line: 'NUL bytes', text: '\0\0\0\n\tA card' },
  ])('passes over $line, and what is said of it', ({ text }) => {
    const broken = parseAtrList(`3B 00\n\tBefore\n\n${text}\n\n3B 01\n\tAfter`)

    expect(broken).toMatchObject({ size: 2, skipped: 1 })
    expect([broken.describe('3B00'), broken.describe('3B01')]).toEqual([['Before'], ['After']])
  })

  test('does not give the description of a line it passed over to the entry before', () => {
    const broken = parseAtrList('3B 00\n\tBefore\nnonsense\n\tOf nonsense')

    expect(broken.describe('3B00')).toEqual(['Before'])
  })

  test('reads line ends of Windows, and keeps control characters out of descriptions', () => {
    const odd = parseAtrList('3B 00\r\n\tA \u001b[31mred\tcard\r\n')

    expect(odd.describe('3B00')).toEqual(['A [31mred card'])
  })

  test('is empty for an empty file', () => {
    expect(parseAtrList('')).toMatchObject({ size: 0, skipped: 0 })
  })
})
