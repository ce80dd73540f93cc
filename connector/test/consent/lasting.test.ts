/** How long a consent lasts, and who hears when it ends. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lastingConsents } from '../../src/consent/lasting.ts'
import { consentStore } from '../../src/consent/store.ts'
import { openState } from '../../src/state/database.ts'
import { dayMs, newPerson, origin, type Person } from './person.ts'

let person: Person
beforeEach(() => {
  person = newPerson({ at: Date.now() })
})
afterEach(() => person.close())

const give = (days = 365, to = origin) => {
  const issuedAt = person.clock()
  const given = {
    id: crypto.randomUUID(),
    origin: to,
    issuedAt,
    expiresAt: issuedAt + days * dayMs,
    usedAt: issuedAt,
  }
  person.lasting.add(given, crypto.getRandomValues(new Uint8Array(32)))
  return given
}

const nextEnd = () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const forget = person.lasting.onEnd(resolve)
  return promise.finally(forget)
}

test('an origin holds one while any of its consents lives', () => {
  give(1)
  give(2)
  give(3, 'https://a.shops.example')
  person.setClock(person.clock() + dayMs)
  expect(person.lasting.holds(origin)).toBe(true)
  person.setClock(person.clock() + dayMs)
  expect(person.lasting.holds(origin)).toBe(false)
  expect(person.lasting.holds('https://a.shops.example')).toBe(true)
})

test('what another process revokes is over at once, and told within seconds', async () => {
  give()
  give(365, 'https://a.shops.example')
  const ended = nextEnd()
  // A connection of its own, as another process has one.
  const database = openState(person.runtime, person.log)
  expect(consentStore(database).revoke(Date.now(), origin)).toBe(1)
  expect(person.lasting.holds(origin)).toBe(false)
  expect(await ended).toBe(origin)
  expect(person.lasting.holds('https://a.shops.example')).toBe(true)
  database.close()
})

test('its end by time is told to whoever listens', async () => {
  give(365)
  const ended = nextEnd()
  person.setClock(person.clock() + 365 * dayMs)
  expect(await ended).toBe(origin)
})

test('a consent given while somebody listens is one whose end is told', async () => {
  const ended = nextEnd()
  give(1)
  expect(person.lasting.holds(origin)).toBe(true)
  person.setClock(person.clock() + dayMs)
  expect(await ended).toBe(origin)
})

test('expired is over for good, also in the database', () => {
  give(1)
  const then = person.clock()
  person.setClock(then + dayMs)
  const later = lastingConsents(person.store, person.clock, person.log)
  person.setClock(then)
  expect(person.store.all()).toEqual([])
  expect(later.holds(origin)).toBe(false)
  later.stop()
})

test('365 days do not make a timer that fires at once', async () => {
  give(365)
  const told: string[] = []
  const forget = person.lasting.onEnd((ended) => told.push(ended))
  const ended = nextEnd()
  give(1, 'https://a.shops.example')
  person.setClock(person.clock() + dayMs)
  expect(await ended).toBe('https://a.shops.example')
  expect(told).toEqual(['https://a.shops.example'])
  forget()
})
