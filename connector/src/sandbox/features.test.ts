/** The answer to a question for features. */
import { expect, test } from 'vitest'
import { parseFeatureTags } from './features.ts'

test.each([
  { behaviour: 'nothing in nothing', hex: '', expected: [] },
  { behaviour: 'one feature', hex: '060442330006', expected: [6] },
  {
    behaviour: 'several',
    hex: '060442330006' + '070442330007' + '0a0442330008',
    expected: [6, 7, 10],
  },
  { behaviour: 'none in an entry that is cut off', hex: '060442330006' + '0704', expected: [6] },
  { behaviour: 'a feature with another length', hex: '0c00' + '060442330006', expected: [12, 6] },
])('featureTags reads $behaviour', ({ hex, expected }) => {
  expect(parseFeatureTags(Buffer.from(hex, 'hex'))).toEqual(expected)
})
