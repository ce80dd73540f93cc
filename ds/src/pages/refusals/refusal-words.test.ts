/** What the page advises where a limit rejected a registration. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { explainRefusal } from './refusal-words.ts'

const explain = (detail: string, keyVersion?: string) =>
  explainRefusal({
    reason: 'too-many-requests',
    detail,
    ...(keyVersion !== undefined && { keyVersion }),
  })

test.each([
  [
    'Cannot accept more registrations from this address in a minute (DS_REGISTRATION_LIMIT): try again in 9 s',
    'Too many devices registered from this IP address within a minute.',
    'raise DS_REGISTRATION_LIMIT.',
  ],
  [
    'Cannot accept more registrations from this address in a minute (REGISTRATION_LIMIT): try again in 60 s',
    'Too many devices registered from this IP address within a minute.',
    'raise REGISTRATION_LIMIT.',
  ],
  [
    'Cannot register more new devices today (DS_DEVICES_PER_ADDRESS): try again in 3600 s',
    'Too many new devices registered from this IP address today.',
    'raise DS_DEVICES_PER_ADDRESS.',
  ],
  [
    'Cannot register more new devices today (DS_DEVICES_PER_KEY): try again in 3600 s',
    'Too many new devices registered with this installation key today.',
    'raise DS_DEVICES_PER_KEY.',
  ],
])('for "%s" it names the setting', (detail, what, remedy) => {
  proves('registration-limits')
  const words = explain(detail, '4.0.0')
  expect(words.what).toBe(what)
  expect(words.remedy).toContain(remedy)
})

test('where no key was valid, it advises to correct the key', () => {
  const words = explain('Cannot handle so many requests: try again in 60 s')
  expect(words.what).toContain('missing or invalid installation key')
  expect(words.remedy).toContain('CARDWIRE_INSTALLATION_KEY')
})

test('of a valid key it does not say that it is wrong', () => {
  expect(explain('Cannot register more new devices today: try again in 9 s', '4.0.0').what).toBe(
    'Too many requests.',
  )
})
