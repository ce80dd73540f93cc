/** The types of files of an origin: kept with its consent, in the state database, beside those of the administrator. */
import type { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CardFolder } from '@cardwire/protocol'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { openStateDatabase, stateFileName } from '../../src/system/state/database.ts'
import { createActiveConsents } from '../../src/user/consent/active-consents.ts'
import { createConsentStore } from '../../src/user/consent/consent-store.ts'
import {
  createFileTypes,
  listFileFolders,
  revokeFileTypes,
} from '../../src/user/consent/file-types.ts'

const [shop, other] = ['https://shop.example', 'https://other.example']
const invoices = { entity: 'shop', type: 'invoices', path: '/home/ada/invoices' }
const log = { info: vi.fn(), error: vi.fn() }

let folder: string
let database: Database
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-types-'))
  database = openStateDatabase(folder, log)
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
  vi.clearAllMocks()
})

function open(managed: readonly CardFolder[] = []) {
  const store = createConsentStore(database)
  const active = createActiveConsents(store, Date.now, log)
  let granted = 0
  return {
    store,
    types: createFileTypes(database, active, () => managed),
    consent: (origin: string) => {
      granted += 1
      const now = Date.now()
      const times = { issuedAt: now, expiresAt: now + 86_400_000, usedAt: now }
      const id = `${origin} ${granted}`
      active.add({ id, origin, ...times }, Buffer.from(`${granted}`))
      return id
    },
    stop: active.stop,
  }
}

test('the table of types exists after the first start', () => {
  proves('file-exchange-configuration')
  const found = database.query("SELECT name FROM sqlite_schema WHERE name = 'file_types'").all()
  expect(found).toHaveLength(1)
  const { types, stop } = open()
  expect(types.list(shop)).toEqual([])
  stop()
})

test('a database that is broken is made anew, with a word in the log, and without types', () => {
  proves('file-exchange-configuration')
  const before = open()
  before.types.save(before.consent(shop), invoices)
  before.stop()
  database.close()
  for (const end of ['-wal', '-shm']) rmSync(join(folder, stateFileName + end), { force: true })
  writeFileSync(join(folder, stateFileName), 'no database')
  database = openStateDatabase(folder, log)
  expect(log.error).toHaveBeenCalledWith(
    'state database put aside, pages need new consents',
    expect.anything(),
  )
  const { types, consent, stop } = open()
  const id = consent(shop)
  expect(types.list(shop)).toEqual([])
  types.save(id, invoices)
  expect(types.list(shop)).toHaveLength(1)
  stop()
})

test('a type is that of its origin alone, and ends with its consent', () => {
  proves('file-folders-managed')
  const { types, consent, store, stop } = open()
  const [id = ''] = [shop, other].map(consent)
  types.save(id, invoices)
  expect(types.find(shop, 'shop', 'invoices')).toEqual({
    origin: shop,
    ...invoices,
    isManaged: false,
  })
  expect(types.list(other)).toEqual([])
  expect(types.remove(other, 'shop', 'invoices')).toBe(false)
  expect(listFileFolders(database, shop)).toEqual([invoices])
  store.revoke(Date.now(), shop)
  expect(types.list(shop)).toEqual([])
  consent(shop)
  expect(types.list(shop)).toEqual([])
  stop()
})

test('nothing is kept with a consent that has ended, also when the user has given another', () => {
  proves('consent-given-again')
  const { types, consent, store, stop } = open()
  const id = consent(shop)
  store.revoke(Date.now(), shop)
  consent(shop)
  types.save(id, invoices)
  expect(types.list(shop)).toEqual([])
  stop()
})

test('another folder takes the place of the one before, whichever consent that was kept with', () => {
  const { types, consent, stop } = open()
  types.save(consent(shop), invoices)
  types.save(consent(shop), { ...invoices, path: '/home/ada/new' })
  expect(types.list(shop)).toEqual([
    { origin: shop, ...invoices, path: '/home/ada/new', isManaged: false },
  ])
  expect(types.remove(shop, 'shop', 'invoices')).toBe(true)
  expect(types.list(shop)).toEqual([])
  stop()
})

test('the folder of the administrator is in the place of one that was chosen, and is not removed', () => {
  const managed = { ...invoices, origin: shop, path: '/srv/invoices' }
  const { types, consent, stop } = open([managed])
  const id = consent(shop)
  types.save(id, invoices)
  types.save(id, { ...invoices, type: 'a' })
  expect(types.list(shop)).toEqual([
    { origin: shop, ...invoices, type: 'a', isManaged: false },
    { origin: shop, entity: 'shop', type: 'invoices', path: '/srv/invoices', isManaged: true },
  ])
  types.remove(shop, 'shop', 'invoices')
  expect(types.find(shop, 'shop', 'invoices')?.isManaged).toBe(true)
  stop()
})

test('revoking ends one type, or all of an origin', () => {
  const { types, consent, stop } = open()
  const id = consent(shop)
  for (const type of ['a', 'b', 'c']) types.save(id, { ...invoices, type })
  expect(revokeFileTypes(database, shop, { entity: 'shop', type: 'b' })).toBe(1)
  expect(types.list(shop).map(({ type }) => type)).toEqual(['a', 'c'])
  expect(revokeFileTypes(database, shop)).toBe(2)
  expect(types.list(shop)).toEqual([])
  stop()
})
