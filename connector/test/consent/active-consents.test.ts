/** Active consents: until when they hold, and how their end is reported. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { openStateDatabase } from '../../src/system/state/database.ts'
import { createActiveConsents } from '../../src/user/consent/active-consents.ts'
import { createConsentStore } from '../../src/user/consent/consent-store.ts'
import { type ConsentSetup, createConsentSetup, dayMs, origin } from './consent-setup.ts'

let setup: ConsentSetup
beforeEach(() => {
  setup = createConsentSetup({ at: Date.now() })
})
afterEach(() => setup.close())

const give = (days = 365, to = origin) => {
  const issuedAt = setup.clock()
  const given = {
    id: crypto.randomUUID(),
    origin: to,
    issuedAt,
    expiresAt: issuedAt + days * dayMs,
    usedAt: issuedAt,
  }
  setup.activeConsents.add(given, crypto.getRandomValues(new Uint8Array(32)))
  return given
}

const nextEnd = () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const forget = setup.activeConsents.onEnd(resolve)
  return promise.finally(forget)
}

test('an origin has a consent while any of its consents is active', () => {
  give(1)
  give(2)
  give(3, 'https://a.shops.example')
  setup.setClock(setup.clock() + dayMs)
  expect(setup.hasConsent(origin)).toBe(true)
  setup.setClock(setup.clock() + dayMs)
  expect(setup.hasConsent(origin)).toBe(false)
  expect(setup.hasConsent('https://a.shops.example')).toBe(true)
})

test('a consent revoked by another process ends at once, and is reported within seconds', async () => {
  const { id } = give()
  give(365, 'https://a.shops.example')
  const ended = nextEnd()
  // A connection of its own, as another process has one.
  const database = openStateDatabase(setup.runtime, setup.log)
  expect(createConsentStore(database).revoke(Date.now(), origin)).toBe(1)
  expect([setup.hasConsent(origin), setup.activeConsents.isActive(id)]).toEqual([false, false])
  expect(await ended).toBe(id)
  expect(setup.hasConsent('https://a.shops.example')).toBe(true)
  database.close()
})

test('a consent that is revoked and given again at once is another, and the end of the first is reported', async () => {
  proves('consent-given-again')
  const { id } = give()
  const ended = nextEnd()
  const database = openStateDatabase(setup.runtime, setup.log)
  createConsentStore(database).revoke(Date.now(), origin)
  database.close()
  const again = give()
  expect([id, again.id].map(setup.activeConsents.isActive)).toEqual([false, true])
  expect(setup.activeConsents.findLatest(origin)?.id).toBe(again.id)
  expect(await ended).toBe(id)
})

test('expiry is reported to listeners', async () => {
  const { id } = give(365)
  const ended = nextEnd()
  setup.setClock(setup.clock() + 365 * dayMs)
  expect(await ended).toBe(id)
})

test('expiry of a consent that was granted after the listener came is reported', async () => {
  const ended = nextEnd()
  const { id } = give(1)
  expect(setup.hasConsent(origin)).toBe(true)
  setup.setClock(setup.clock() + dayMs)
  expect(await ended).toBe(id)
})

test('a clock that jumped ends no consent for good, and none holds meanwhile', () => {
  proves('connector-clock-jump')
  give(1)
  const then = setup.clock()
  setup.setClock(then + 4600 * dayMs)
  const jumped = createActiveConsents(setup.store, setup.clock, setup.log, () => false)
  expect(jumped.findLatest(origin)).toBeUndefined()
  expect(setup.store.list()).toHaveLength(1)
  setup.setClock(then)
  expect(jumped.findLatest(origin)).toBeDefined()
  jumped.stop()
})

test('a consent that was granted under a clock years ahead does not hold when that is set right', () => {
  proves('connector-clock-jump')
  const then = setup.clock()
  setup.setClock(then + 4600 * dayMs)
  give(1)
  expect(setup.hasConsent(origin)).toBe(true)
  setup.setClock(then)
  expect(setup.hasConsent(origin)).toBe(false)
})

test('an expired consent has ended for good, also in the database', () => {
  give(1)
  const then = setup.clock()
  setup.setClock(then + dayMs)
  const later = createActiveConsents(setup.store, setup.clock, setup.log)
  setup.setClock(then)
  expect(setup.store.list()).toEqual([])
  expect(later.findLatest(origin)).toBeUndefined()
  later.stop()
})

test('a consent of 365 days does not make the timer fire at once', async () => {
  give(365)
  const endedIds: string[] = []
  const forget = setup.activeConsents.onEnd((ended) => endedIds.push(ended))
  const ended = nextEnd()
  const { id } = give(1, 'https://a.shops.example')
  setup.setClock(setup.clock() + dayMs)
  expect(await ended).toBe(id)
  expect(endedIds).toEqual([id])
  forget()
})
