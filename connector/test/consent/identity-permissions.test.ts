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
import { type ConsentSetup, createConsentSetup, dayMs, origin } from './consent-setup.ts'

const other = 'https://a.shops.example'

let setup: ConsentSetup
let permissions: IdentityPermissions
beforeEach(() => {
  setup = createConsentSetup({ at: Date.now() })
  permissions = createIdentityPermissions(setup.database, setup.activeConsents)
})
afterEach(() => setup.close())

/** Gives a consent for so many days. */
function consent(days: number, to = origin): string {
  const issuedAt = setup.clock()
  const id = crypto.randomUUID()
  setup.activeConsents.add(
    {
      id,
      origin: to,
      issuedAt,
      expiresAt: issuedAt + days * dayMs,
      usedAt: issuedAt,
    },
    crypto.getRandomValues(new Uint8Array(32)),
  )
  return id
}

test('a permission is for one origin and one module', () => {
  proves('answer-reused')
  const id = consent(365)
  consent(365, other)
  permissions.add(id, 'beid')
  permissions.add(id, 'beid')
  expect(permissions.has(origin, 'beid')).toBe(true)
  expect(permissions.has(origin, 'piv')).toBe(false)
  expect(permissions.has(other, 'beid')).toBe(false)
  expect(listIdentityModules(setup.database, origin)).toEqual(['beid'])
  expect(listIdentityModules(setup.database, other)).toEqual([])
})

test('nothing is kept with a consent that has ended, also when the user has given another', () => {
  proves('consent-given-again')
  const id = consent(365)
  setup.store.revoke(setup.clock(), origin)
  consent(365)
  permissions.add(id, 'beid')
  expect(permissions.has(origin, 'beid')).toBe(false)
  expect(setup.database.query('SELECT * FROM identity_permissions').all()).toEqual([])
})

test('a permission ends with its consent, when that expires', () => {
  proves('answer-reused')
  permissions.add(consent(1), 'beid')
  setup.setClock(setup.clock() + dayMs - 1)
  expect(permissions.has(origin, 'beid')).toBe(true)
  setup.setClock(setup.clock() + 1)
  expect(permissions.has(origin, 'beid')).toBe(false)
})

test('a permission outlives the connector', () => {
  permissions.add(consent(365), 'beid')
  setup.database.close()
  const restarted = createConsentSetup({ runtime: setup.runtime, at: setup.clock() })
  const again = createIdentityPermissions(restarted.database, restarted.activeConsents)
  expect(again.has(origin, 'beid')).toBe(true)
  restarted.close()
})

test('a permission ends at once when another process revokes the consent, and a new consent does not bring it back', () => {
  proves('answer-reused')
  permissions.add(consent(365), 'beid')
  const database = openStateDatabase(setup.runtime, setup.log)
  createConsentStore(database).revoke(setup.clock(), origin)
  expect(permissions.has(origin, 'beid')).toBe(false)
  expect(listIdentityModules(database, origin)).toEqual([])
  database.close()
  consent(365)
  expect(permissions.has(origin, 'beid')).toBe(false)
})

test('a permission that another process takes back ends at once, alone, and an older database does not bring it back', () => {
  for (const each of [origin, other]) {
    permissions.add(consent(365, each), 'beid')
  }
  const before = readRevision(setup.database)
  const database = openStateDatabase(setup.runtime, setup.log)
  expect(revokeIdentityPermissions(database, origin)).toBe(1)
  expect(revokeIdentityPermissions(database, origin)).toBe(0)
  expect(readRevision(database)).toBe(before + 1)
  database.close()
  expect(permissions.has(origin, 'beid')).toBe(false)
  expect(permissions.has(other, 'beid')).toBe(true)
  expect(setup.hasConsent(origin)).toBe(true)
})

test('a permission ends with the consent that it was given with, though another of the origin goes on', () => {
  proves('identity-answer-kept')
  permissions.add(consent(1), 'beid')
  consent(2)
  expect(permissions.has(origin, 'beid')).toBe(true)
  setup.setClock(setup.clock() + dayMs)
  expect(setup.hasConsent(origin)).toBe(true)
  expect(permissions.has(origin, 'beid')).toBe(false)
})

test('permissions of consents that are long gone are deleted', () => {
  permissions.add(consent(1), 'beid')
  setup.store.revoke(setup.clock())
  setup.setClock(setup.clock() + 31 * dayMs)
  consent(1, other)
  const left = setup.database.query('SELECT * FROM identity_permissions').all()
  expect(left).toEqual([])
})
