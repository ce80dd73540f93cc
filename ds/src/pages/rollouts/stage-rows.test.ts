/** The rows of stages in a form. */
import { expect, test } from 'vitest'
import { parseForm } from '../frame/form.ts'
import { padRows, readRows, toRows, toStages } from './stage-rows.ts'

test('rows in which nothing was typed are left out', () => {
  const form = parseForm(
    'share=1&hold=48&group=g1&share=&hold=&group=g2&share=+100+&hold=24&group=&share=&hold=+&group=',
  )
  expect(readRows(form)).toEqual([
    { share: '1', hold: '48', group: 'g1' },
    { share: '100', hold: '24', group: '' },
  ])
})

test('a row with only one of its fields stays, with a value that is refused', () => {
  const rows = readRows(parseForm('share=1&hold=&share=&hold=24'))
  expect(toStages(rows)).toEqual([
    { share: 1, holdS: Number.NaN },
    { share: Number.NaN, holdS: 86_400 },
  ])
})

test.each([
  [0, 6],
  [4, 6],
  [5, 7],
  [9, 10],
  [10, 10],
  [12, 12],
])('%i rows are shown as %i', (filled, shown) => {
  const rows = Array.from({ length: filled }, () => ({ share: '1', hold: '1', group: '' }))
  expect(padRows(rows).length).toBe(shown)
})

test.each([
  [
    { share: 0.5, holdS: 172_800 },
    { share: '0.5', hold: '48', group: '' },
  ],
  [
    { share: 100, holdS: 60 },
    { share: '100', hold: '0.0167', group: '' },
  ],
  [
    { share: 10, holdS: 5400, group: 'g1' },
    { share: '10', hold: '1.5', group: 'g1' },
  ],
])('%o is the row %o, and back', (stage, row) => {
  expect(toRows([stage])).toEqual([row])
  expect(toStages([row])).toEqual([stage])
})
