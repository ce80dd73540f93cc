/** Days and counts as each language writes them. */
import { expect, test } from 'vitest'
import { catalogs } from './catalogs.ts'

test.each([
  ['en', 'Nov 7, 2026', 'Nov 7, 2026, 2:05 PM UTC', 'Nov 7, 2 PM UTC', '1,204 devices'],
  ['nl', '7 nov 2026', '7 nov 2026, 14:05 UTC', '7 nov, 14 UTC', '1.204 devices'],
  ['fr', '7 nov. 2026', '7 nov. 2026, 14:05 UTC', '7 nov., 14 h UTC', '1\u202f204 devices'],
  ['de', '07.11.2026', '7. Nov. 2026, 14:05 UTC', '7. Nov., 14 Uhr UTC', '1.204 devices'],
] as const)('%s writes %s, %s, %s and %s', (language, day, time, hour, count) => {
  const { numbers } = catalogs[language]
  expect(numbers.day('2026-11-07')).toBe(day)
  // Versions of ICU differ in the space before PM.
  expect(numbers.time('2026-11-07T14:05:59Z').replace('\u202f', ' ')).toBe(time)
  expect(numbers.hour('2026-11-07T14:05:59Z').replace(/[\u202f\u00a0]/g, ' ')).toBe(hour)
  expect(numbers.count(1204, 'device', 'devices')).toBe(count)
})

test.each([
  ['en', 10, '10%'],
  ['en', 0.05, '0.05%'],
  ['nl', 0.5, '0,5%'],
  ['fr', 0.5, '0,5\u00a0%'],
  ['de', 0.5, '0,5\u00a0%'],
] as const)('%s writes a share of %d as %s', (language, share, text) => {
  expect(catalogs[language].numbers.percent(share).replace('\u202f', '\u00a0')).toBe(text)
})

test.each([
  ['en', 28_800, '8 hours'],
  ['nl', 28_800, '8 uur'],
  ['fr', 28_800, '8\u00a0heures'],
  ['de', 28_800, '8 Stunden'],
  ['en', 3600, '1 hour'],
  ['en', 5400, '90 minutes'],
  ['en', 90, '90 seconds'],
  ['en', 86_400, '24 hours'],
  ['en', 604_800, '7 days'],
] as const)('%s writes %i seconds as %s', (language, seconds, duration) => {
  expect(catalogs[language].numbers.duration(seconds)).toBe(duration)
})

test.each([
  ['en', 'nl-BE', 'Dutch (Belgium)'],
  ['nl', 'fr', 'Frans'],
  ['fr', 'de', 'allemand'],
  ['de', 'en', 'Englisch'],
  ['en', 'no tag', 'no tag'],
  ['en', 'xx', 'xx'],
] as const)('%s calls the language of %s %s', (language, tag, name) => {
  expect(catalogs[language].numbers.language(tag)).toBe(name)
})
