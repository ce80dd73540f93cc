/** How often, as each language says it. */
import { expect, test } from 'vitest'
import { describeEvery as inEnglish } from './en/every.ts'
import { describeEvery as inFrench } from './fr/every.ts'
import { describeEvery as inDutch } from './nl/every.ts'

test.each([
  [inEnglish, '8 hours', 'every 8 hours'],
  [inEnglish, '1 hour', 'every hour'],
  [inDutch, '8 uur', 'elke 8 uur'],
  [inDutch, '1 uur', 'elk uur'],
  [inDutch, '1 minuut', 'elke minuut'],
  [inFrench, '8\u00a0heures', 'toutes les 8\u00a0heures'],
  [inFrench, '1\u00a0heure', 'chaque heure'],
])('%o of %s: %s', (describeEvery, cycle, often) => {
  expect(describeEvery(cycle)).toBe(often)
})
