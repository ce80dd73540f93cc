/** The answer to a question for features. */
import { expect, test } from 'vitest'
import { parseFeatures } from './features.ts'

test.each([
  { behaviour: 'nothing in nothing', hex: '', expected: [] },
  { behaviour: 'one feature', hex: '060442330006', expected: [[6, 0x42330006]] },
  {
    behaviour: 'several',
    hex: '060442330006' + '070442330007' + '0a0442330008',
    expected: [
      [6, 0x42330006],
      [7, 0x42330007],
      [10, 0x42330008],
    ],
  },
  {
    behaviour: 'none in an entry that is cut off',
    hex: '060442330006' + '0704',
    expected: [[6, 0x42330006]],
  },
  {
    behaviour: 'a feature with another length',
    hex: '0c00' + '060442330006',
    expected: [
      [12, undefined],
      [6, 0x42330006],
    ],
  },
])('parseFeatures reads $behaviour', ({ hex, expected }) => {
  const features = parseFeatures(Buffer.from(hex, 'hex'))
  expect(features.map(({ tag, code }) => [tag, code])).toEqual(expected)
})
