/** Permissions to read identity data: kept over a restart, and ended with the consent that they were given with. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { openStateDatabase } from '../../src/system/state/database.ts'
import { readRevision } from '../../src/system/state/revision.ts'
import { createConsentStore } from '../../src/user/consent/consent-store.ts'
import {
  createIdentityPermissions,
  type IdentityPermissions,
  listIdentityModules,
  revokeIdentityPermissions,
} from '../../src/user/consent/identity-permissions.ts'
import { type ConsentSetup, createConsentSetup, dayMs, origin } from './person.ts'

const other = 'https://a.shops.example'

let person: ConsentSetup
let permissions: IdentityPermissions
beforeEach(() => {
  person = createConsentSetup({ at: Date.now() })
  permissions = createIdentityPermissions(person.database, person.activeConsents)
})
afterEach(() => person.close())

/** Gives a consent for so many days. */
function consent(days: number, to = origin): void {
  const issuedAt = person.clock()
  person.activeConsents.add(
    {
      id: crypto.randomUUID(),
      origin: to,
      issuedAt,
      expiresAt: issuedAt + days * dayMs,
      usedAt: issuedAt,
    },
    crypto.getRandomValues(new Uint8Array(32)),
  )
}

test('a permission is for one origin and one module', () => {
  proves('answer-reused')
  consent(365)
  consent(365, other)
  permissions.add(origin, 'beid')
  permissions.add(origin, 'beid')
  expect(permissions.has(origin, 'beid')).toBe(true)
  expect(permissions.has(origin, 'piv')).toBe(false)
  expect(permissions.has(other, 'beid')).toBe(false)
  expect(listIdentityModules(person.database, origin)).toEqual(['beid'])
  expect(listIdentityModules(person.database, other)).toEqual([])
})

test('without a consent nothing is kept', () => {
  permissions.add(origin, 'beid')
  consent(365)
  expect(permissions.has(origin, 'beid')).toBe(false)
})

test('a permission outlives the connector', () => {
  consent(365)
  permissions.add(origin, 'beid')
  person.database.close()
  const restarted = createConsentSetup({ runtime: person.runtime, at: person.clock() })
  const again = createIdentityPermissions(restarted.database, restarted.activeConsents)
  expect(again.has(origin, 'beid')).toBe(true)
  restarted.close()
})

test('a permission ends at once when another process revokes the consent, and a new consent does not bring it back', () => {
  proves('answer-reused')
  consent(365)
  permissions.add(origin, 'beid')
  const database = openStateDatabase(person.runtime, person.log)
  createConsentStore(database).revoke(person.clock(), origin)
  expect(permissions.has(origin, 'beid')).toBe(false)
  expect(listIdentityModules(database, origin)).toEqual([])
  database.close()
  consent(365)
  expect(permissions.has(origin, 'beid')).toBe(false)
})

test('a permission that another process takes back ends at once, alone, and an older database does not bring it back', () => {
  for (const each of [origin, other]) {
    consent(365, each)
    permissions.add(each, 'beid')
  }
  const before = readRevision(person.database)
  const database = openStateDatabase(person.runtime, person.log)
  expect(revokeIdentityPermissions(database, origin)).toBe(1)
  expect(revokeIdentityPermissions(database, origin)).toBe(0)
  expect(readRevision(database)).toBe(before + 1)
  database.close()
  expect(permissions.has(origin, 'beid')).toBe(false)
  expect(permissions.has(other, 'beid')).toBe(true)
  expect(person.activeConsents.has(origin)).toBe(true)
})

test('a permission ends with the consent that it was given with, though another of the origin goes on', () => {
  proves('identity-answer-kept')
  consent(1)
  permissions.add(origin, 'beid')
  consent(2)
  expect(permissions.has(origin, 'beid')).toBe(true)
  person.setClock(person.clock() + dayMs)
  expect(person.activeConsents.has(origin)).toBe(true)
  expect(permissions.has(origin, 'beid')).toBe(false)
})

test('permissions of consents that are long gone are deleted', () => {
  consent(1)
  permissions.add(origin, 'beid')
  person.store.revoke(person.clock())
  person.setClock(person.clock() + 31 * dayMs)
  consent(1, other)
  const left = person.database.query('SELECT * FROM identity_permissions').all()
  expect(left).toEqual([])
})
