/** What the service takes of the texts that devices report. */

import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { proves } from '../../../test/bed/proves.ts'
import { reportedText } from './reported-text.ts'

test.each([
  ['a name', 'front-desk-7', 'front-desk-7'],
  ['line ends and tabs', 'one\r\ntwo\tthree\n', 'one two three '],
  ['control characters', 'a\u0000\u001b[31m\u007f\u009b', 'a\ufffd\ufffd[31m\ufffd\ufffd'],
  ['line separators', 'a\u2028b\u2029c', 'a\ufffdb\ufffdc'],
  ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ['a whole pair', 'a\u{1f600}b', 'a\u{1f600}b'],
  ['as much as fits', 'x'.repeat(20), 'x'.repeat(20)],
  ['characters of three bytes', '€'.repeat(7), '€€€€€…'],
  ['quotes, which JSON escapes', '"'.repeat(11), `${'"'.repeat(8)}…`],
])('reportedText takes %s', (_, text, taken) => {
  proves('device-report-large')
  expect(z.parse(reportedText(20), text)).toBe(taken)
})

test('reportedText refuses more characters than it has bytes', () => {
  expect(z.safeParse(reportedText(20), 'x'.repeat(21)).success).toBe(false)
})
