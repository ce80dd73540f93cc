/** Texts that are too long in JSON, and what is left of them. */
import { expect, test } from 'vitest'
import { countJsonBytes, shorten } from './shorten.ts'

test.each([
  ['letters', 'abcdef', 6, 'abcdef'],
  ['a letter too many', 'abcdefg', 6, 'abc…'],
  ['control characters, six bytes each', '\u0000\u0000\u0000', 17, '\u0000\u0000…'],
  ['line ends, two bytes each', '\n\n\n', 6, '\n\n\n'],
  ['quotes, two bytes each', '""""', 7, '""…'],
  ['umlauts, two bytes each', 'ääää', 7, 'ää…'],
  ['a pair of surrogates, never cut', 'a😀😀', 8, 'a😀…'],
  ['half a pair, six bytes', '\ud83d\ud83d', 11, '\ud83d…'],
  ['nothing', '', 0, ''],
])('shorten keeps of %s what fits', (_, text, maxBytes, kept) => {
  expect(shorten(text, maxBytes)).toBe(kept)
})

test.each([
  '',
  'abc',
  '"\\',
  '\u0000\u001f\n\t\b\f\r\u007f',
  'äß',
  '€\u2028',
  '😀',
  '\ud83d',
  '\udc00a',
])('countJsonBytes of %j is what JSON takes', (text) => {
  expect(countJsonBytes(text)).toBe(new TextEncoder().encode(JSON.stringify(text)).length - 2)
})
