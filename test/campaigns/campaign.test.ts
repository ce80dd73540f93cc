/** The frame of the campaigns: what their options mean, what they print, and when they refuse to run. */
import { expect, test } from 'vitest'
import { createTally, formatTable, parseOptions } from '../bed/campaign.ts'

const defaults = { kills: 100, from: 0, target: ['ds', 'pcscd'], only: '', part: false }

test('an option that is not given has its default', () => {
  expect(parseOptions(defaults, [])).toEqual(defaults)
})

test('options are numbers, names, texts and flags', () => {
  const args = ['--kills', '3', '--target', 'pcscd', '--only', 'disk', '--part']
  expect(parseOptions(defaults, args)).toEqual({
    ...defaults,
    ...{ kills: 3, target: ['pcscd'], only: 'disk', part: true },
  })
})

test.each([
  [['--kills', '0'], '--kills is a whole number of at least 1'],
  [['--kills', '1.5'], '--kills is a whole number of at least 1'],
  [['--kills', 'many'], '--kills is a whole number of at least 1'],
  [['--from', ''], '--from is a whole number of at least 0'],
  [['--from=-1'], '--from is a whole number of at least 0'],
  [['--target', 'ds', '--target', 'x'], '--target is one of ds, pcscd'],
  [['--kilns', '3'], "Unknown option '--kilns'"],
  [['ds'], 'Unexpected argument'],
])('%j is refused', (args, reason) => {
  expect(() => parseOptions(defaults, args)).toThrow(reason)
})

test('a tally prints each invariant, also one that was never checked, and some reasons for each', () => {
  const tally = createTally(['whole', 'settles'])
  tally.count('kill', 1200)
  tally.measure('start', 12.4)
  tally.measure('start', 3)
  for (let at = 1; at <= 7; at += 1) tally.check('whole', at === 1, () => `page ${at}`)
  expect(tally.violations()).toEqual([2, 3, 4, 5, 6].map((at) => `whole: page ${at}`))
  expect(tally.print().split('\n')).toEqual([
    ...['', 'What happened', '           1,200  kill'],
    ...['', 'Longest, in milliseconds', '              12  start'],
    ...['', 'Invariants checked', '               7  whole', '               0  settles'],
    ...['', '6 violations', ...tally.violations().map((line) => `  ${line}`)],
  ])
})

test('a table keeps a cell in its column', () => {
  expect(formatTable(['a', 'b'], [['1|2', 'x\ny']])).toBe(
    '| a | b |\n| --- | --- |\n| 1\\|2 | x y |',
  )
})
