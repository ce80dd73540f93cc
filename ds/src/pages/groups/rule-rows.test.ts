import { expect, test } from 'vitest'
import { emptyRow, padRows, toRows, toRules } from './rule-rows.ts'

test('toRules reads values with commas or spaces between them, and toRows writes them', () => {
  const rows = [
    { ...emptyRow, tags: 'berlin,  kiosk', platforms: 'win64 UNIX' },
    { ...emptyRow, hostnames: 'pc-*' },
  ]
  const rules = toRules(rows)
  expect(rules).toEqual([
    { tags: ['berlin', 'kiosk'], platforms: ['WIN64', 'UNIX'] },
    { hostnames: ['pc-*'] },
  ])
  expect(toRows(rules)).toEqual([
    { ...emptyRow, tags: 'berlin, kiosk', platforms: 'WIN64, UNIX' },
    { ...emptyRow, hostnames: 'pc-*' },
  ])
})

test('a form has one empty row, and never more than ten', () => {
  expect(padRows([])).toEqual([emptyRow])
  const nine = Array.from({ length: 9 }, () => ({ ...emptyRow, tags: 'a' }))
  expect(padRows(nine)).toHaveLength(10)
  expect(padRows([...nine, ...nine.slice(0, 1)])).toHaveLength(10)
})
