/** The ids that names become. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { toIdentifier } from './derive-id.ts'

test.each([
  ['is the name in lower case', 'Acme', 'acme'],
  ['keeps digits', 'Branch 42', 'branch42'],
  ['drops spaces and punctuation', "  Smith & Sons' (Ltd.) - No_1/2 ", 'smithsonsltdno12'],
  ['drops letters outside a-z', 'Züri Größe', 'zrigre'],
  ['drops digits outside 0-9', '٣ and ３ and 3', 'andand3'],
  ['drops emoji whole', 'Pay 💳 now', 'paynow'],
  ['drops line ends and NUL', 'a\r\nb\0c', 'abc'],
  ['keeps the dotless rest of a capital İ', 'İzmir', 'izmir'],
  ['is itself when derived again', 'acme42', 'acme42'],
  ['is empty when nothing is left', '日本 ***', ''],
  ['is empty for an empty name', '', ''],
])('toIdentifier %s', (_, name, id) => {
  proves('organization-id-derived')
  expect(toIdentifier(name)).toBe(id)
})
