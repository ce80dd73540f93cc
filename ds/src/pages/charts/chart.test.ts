/** Charts by day: their numbers, and what they are to readers without colours or eyes. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { BoundedChart } from './bounded-chart.tsx'
import { DailyChart, maxSeries } from './chart.tsx'
import { chooseTicks, listDays, sumByDay } from './chart-scale.ts'
import { chartStyle } from './chart-style.ts'

const render = (props: Partial<Parameters<typeof DailyChart>[0]> = {}): string =>
  String(
    DailyChart({
      id: 'uses',
      title: 'Uses by day',
      description: 'From 0 to 7 a day',
      days: ['2026-02-27', '2026-02-28', '2026-03-01'],
      series: [{ name: 'All', values: [3, 0, 7] }],
      ...props,
    }),
  )

test('listDays lists every day, over the end of a month, and of too many the latest', () => {
  expect(listDays('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  expect(listDays('2026-03-01', '2026-02-27')).toEqual([])
  expect(listDays('2020-01-01', '2026-03-01', 2)).toEqual(['2026-02-28', '2026-03-01'])
})

test('sumByDay adds the rows of a day, and has 0 for a day without any', () => {
  const rows = [
    { day: '2026-03-01', count: 2 },
    { day: '2026-03-01', count: 5 },
    { day: '2025-01-01', count: 9 },
  ]
  expect(sumByDay(['2026-02-28', '2026-03-01'], rows)).toEqual([0, 7])
})

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [100, [0, 50, 100]],
  [1204, [0, 500, 1000, 1500]],
  [9_999_999, [0, 5_000_000, 10_000_000]],
])('chooseTicks of %d are whole numbers from 0 to that or more', (max, ticks) => {
  expect(chooseTicks(max)).toEqual(ticks)
})

describe('DailyChart', () => {
  test('has a title and a description, by which a screen reader names it', () => {
    proves('usage-chart')
    const svg = render()
    expect(svg).toContain('role="img" aria-labelledby="uses-title uses-description"')
    expect(svg).toContain('<title id="uses-title">Uses by day</title>')
    expect(svg).toContain('<desc id="uses-description">From 0 to 7 a day</desc>')
  })

  test('has a bar for each day, whose height is its share of the axis', () => {
    const bars = [...render().matchAll(/<rect [^>]*height="([\d.]+)"><title>([^<]*)<\/title>/g)]
    expect(bars.map(([, height, text]) => [Number(height), text])).toEqual([
      [63.75, '2026-02-27: 3'],
      [0, '2026-02-28: 0'],
      [148.75, '2026-03-01: 7'],
    ])
  })

  test('shows each of several series as a line with a pattern of its own, named in the legend', () => {
    proves('usage-chart')
    const svg = render({
      series: [
        { name: '4.0.0', values: [1, 2, 4] },
        { name: '3.9.0', values: [4, 2, 0] },
      ],
    })
    expect(svg).toContain('class="chart-line chart-line-1" points="16.67,75 50,50 83.33,0"')
    expect(svg).toContain('class="chart-line chart-line-2" points="16.67,0 50,50 83.33,100"')
    expect(svg).toMatch(/<li><svg[^>]*aria-hidden="true">.*?<\/svg>4\.0\.0<\/li>/)
  })

  test('has no style attribute and shows markup in names as text', () => {
    proves('stored-name-markup')
    const name = '<script>alert(1)</script>'
    const series = [1, 2].map((value) => ({ name, values: [value, 0, 0] }))
    const svg = render({ title: name, description: name, series })
    expect(svg).not.toMatch(/style=|<script/)
  })

  test.each([
    ['no days', [], []],
    ['one day', ['2026-03-01'], [5]],
  ])('draws %s without a number that is none', (_, days, values) => {
    const one = [{ name: 'a', values }]
    expect(render({ days, series: one }) + render({ days, series: [...one, ...one] })).not.toMatch(
      /NaN|Infinity|undefined/,
    )
  })
})

describe('chartStyle', () => {
  test('has a class for each line, of which no two have the same dashes', () => {
    const lines = [...chartStyle.matchAll(/\.chart-line-\d \{(.*)\}/g)].map(([, rule]) =>
      rule?.replace(/stroke: [^;]*;/, ''),
    )
    expect(lines).toHaveLength(maxSeries)
    expect(new Set(lines).size).toBe(maxSeries)
  })

  test('has colours with a contrast of 3:1 or more with the light and the dark background', () => {
    for (const [, light = '', dark = ''] of chartStyle.matchAll(
      /light-dark\((#\w{6}), (#\w{6})\)/g,
    )) {
      expect(getContrast(light, '#ffffff')).toBeGreaterThan(3)
      expect(getContrast(dark, '#202124')).toBeGreaterThan(3)
    }
  })
})

/** As WCAG 2.2 defines it. */
function getContrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [one, other].map(getLuminance).toSorted((a, b) => b - a)
  return (bright + 0.05) / (dim + 0.05)
}

function getLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test('BoundedChart draws a value beyond a bound at the bound, and names both bounds', () => {
  const svg = String(
    BoundedChart({
      ...{ id: 'ratio', title: 'Ratio', description: 'It rises', name: 'Test ratio' },
      ...{ labels: ['10 AM', '11 AM', '12 PM'], values: [0, 3, 99] },
      times: ['2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z', '2026-01-01T12:00:00Z'],
      low: { value: -3, label: 'Good' },
      high: { value: 6, label: 'Halt' },
    }),
  )
  const lines = [...svg.matchAll(/ points="([^"]*)"/g)].map(([, points]) => points)
  expect(lines).toEqual([
    '16.67,66.67 50,33.33 83.33,0',
    '16.67,0 50,0 83.33,0',
    '16.67,100 50,100 83.33,100',
  ])
  expect([...svg.matchAll(/<\/svg>([^<]+)<\/li>/g)].map(([, name]) => name)).toEqual([
    ...['Test ratio', 'Halt', 'Good'],
  ])
  expect(
    [...svg.matchAll(/data-local-hour="([^"]*)"[^>]*>([^<]*)</g)].map(([, ...all]) => all),
  ).toEqual([
    ['2026-01-01T10:00:00Z', '10 AM'],
    ['2026-01-01T12:00:00Z', '12 PM'],
  ])
})
