/** How often, as each language says it. */
import { expect, test } from 'vitest'
import { describeWithin, describeEvery as inGerman } from './de/every.ts'
import { describeEvery as inEnglish } from './en/every.ts'
import { describeEvery as inFrench } from './fr/every.ts'
import { describeEvery as inDutch } from './nl/every.ts'

test.each([
  [inEnglish, '8 hours', 'every 8 hours'],
  [inEnglish, '1 hour', 'every hour'],
  [inGerman, '8 Stunden', 'alle 8 Stunden'],
  [inGerman, '2 Tage', 'alle 2 Tage'],
  [inGerman, '1 Stunde', 'jede Stunde'],
  [describeWithin, '8 Stunden', 'innerhalb von 8 Stunden'],
  [describeWithin, '2 Tage', 'innerhalb von 2 Tagen'],
  [describeWithin, '1 Stunde', 'innerhalb einer Stunde'],
  [inDutch, '8 uur', 'elke 8 uur'],
  [inDutch, '1 uur', 'elk uur'],
  [inDutch, '1 minuut', 'elke minuut'],
  [inFrench, '8\u00a0heures', 'toutes les 8\u00a0heures'],
  [inFrench, '2\u00a0jours', 'tous les 2\u00a0jours'],
  [inFrench, '1\u00a0heure', 'chaque heure'],
])('%o of %s: %s', (describeEvery, cycle, often) => {
  expect(describeEvery(cycle)).toBe(often)
})
