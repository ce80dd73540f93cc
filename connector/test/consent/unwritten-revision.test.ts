/** Changes that are in the state database although the revision beside it cannot be written: they count as made. */
import { mkdirSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { getRevisionPath } from '../../src/system/state/revision.ts'
import { createFileTypes, revokeFileTypes } from '../../src/user/consent/file-types.ts'
import {
  createIdentityPermissions,
  revokeIdentityPermissions,
} from '../../src/user/consent/identity-permissions.ts'
import { type ConsentSetup, createConsentSetup, dayMs, origin } from './consent-setup.ts'

const folder = { entity: 'shop', type: 'invoices', path: '/home/ada/invoices' }

let setup: ConsentSetup
beforeEach(() => {
  setup = createConsentSetup()
  const now = setup.clock()
  const consent = { id: 'a consent', origin, issuedAt: now, expiresAt: now + dayMs, usedAt: now }
  setup.activeConsents.add(consent, Buffer.from('a code word'))
})
afterEach(() => setup.close())

/** What no account can write as a file, root included. */
function blockRevision(): void {
  const path = getRevisionPath(setup.database.filename)
  rmSync(path, { force: true })
  mkdirSync(path)
}

test('a folder is kept and removed, and what a user takes back has ended', () => {
  proves('connector-disk-full')
  const { database, activeConsents, store } = setup
  const types = createFileTypes(database, activeConsents, () => [])
  const permissions = createIdentityPermissions(database, activeConsents)
  permissions.add('a consent', 'beid')
  blockRevision()
  types.save('a consent', folder)
  expect(types.list(origin)).toHaveLength(1)
  expect(types.remove(origin, folder.entity, folder.type)).toBe(true)
  types.save('a consent', folder)
  expect(revokeFileTypes(database, origin)).toBe(1)
  expect(revokeIdentityPermissions(database, origin)).toBe(1)
  expect(store.revoke(setup.clock(), origin)).toBe(1)
})
