/** Lines of windows: each fits, and no text makes a window too high. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { wrapText } from './wrap-text.ts'

const label = (letter: string, length = 63) => letter.repeat(length)
/** 253 characters, the longest host of RFC 1035, with a port. */
const longest = `https://${label('a')}.${label('b')}.${label('c')}.${label('d', 61)}:65535`

/** The spaces at the beginning of a line that continues a word. */
const on = '\u00a0\u00a0\u00a0\u00a0'

test.each([
  ['a short text', 'Card: PIV card\n\nReader: 1', 'Card: PIV card\n\nReader: 1'],
  [
    'words',
    'Your PIN makes up to 100 signatures without another question, until 60 seconds pass.',
    'Your PIN makes up to 100 signatures without another\nquestion, until 60 seconds pass.',
  ],
  [
    'the longest origin',
    `${longest} wants your signature.`,
    [
      `https://${label('a', 44)}`,
      `${on}${label('a', 19)}.${label('b', 28)}`,
      `${on}${label('b', 35)}.`,
      `${on}${label('c', 48)}`,
      `${on}${label('c', 15)}.${label('d', 32)}`,
      `${on}${label('d', 29)}:65535 wants your`,
      'signature.',
    ].join('\n'),
  ],
  ['characters of two columns', '智'.repeat(27), `${'智'.repeat(26)}\n${on}智`],
  [
    'a text without an end, of which the middle is left out',
    'x'.repeat(4000),
    [
      'x'.repeat(52),
      ...Array(6).fill(`${on}${'x'.repeat(48)}`),
      '…',
      ...Array(3).fill(`${on}${'x'.repeat(48)}`),
      `${on}${'x'.repeat(12)}`,
    ].join('\n'),
  ],
])('%s', (_, text, expected) => {
  proves('window-beyond-screen')
  expect(wrapText(text)).toBe(expected)
})

test('every origin is shown whole, in lines of 52 columns at most, and no line but the first begins as a name', () => {
  proves('window-beyond-screen')
  for (let length = 1; length <= 63; length += 1) {
    const host = `${label('x', length)}.`.repeat(Math.ceil(253 / (length + 1))).slice(0, 253)
    const lines = wrapText(`https://${host}:65535 wants your signature.`).split('\n')
    const shown = lines.map((line) => line.replace(on, '')).join('')
    expect(shown.replaceAll(' ', '')).toBe(`https://${host}:65535wantsyoursignature.`)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(52)
    expect(
      lines.slice(1).filter((line) => !/^(\u00a0{4}|wants|your|signature)/.test(line)),
    ).toEqual([])
  }
})
