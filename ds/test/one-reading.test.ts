/** What many requests need at once after a change is read by one of them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { openBetterSqlite3 } from '../src/db/better-sqlite3.ts'
import { createDatabase } from '../src/db/database.ts'
import type { FileDriver } from '../src/db/file-driver.ts'
import { createFilePackages } from '../src/self-hosted/file-packages.ts'
import { applyMigrations } from '../src/self-hosted/migrations.ts'
import { createAllowedOriginsReader } from '../src/sync/allowed-origins.ts'
import { createCatalogReader } from '../src/sync/catalog.ts'
import { createOfferWriter } from '../src/sync/offer.ts'

let folder: string
let driver: FileDriver
let readings = 0

/** A turn of the event loop, in which other requests arrive. */
const pause = () => new Promise((resolve) => setImmediate(resolve))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-readings-'))
  driver = openBetterSqlite3(join(folder, 'ds.sqlite'))
  await applyMigrations(driver)
  await writeFile(join(folder, 'cardwire.deb'), 'an installer')
})
afterAll(async () => {
  await driver.close()
  await rm(folder, { recursive: true, force: true })
})

/** A database that answers later, as one on a network does. Counts what is read beside the audit and rollouts, of which there are few. */
const openSlowDatabase = () =>
  createDatabase({
    async run(statement) {
      if (!/"(audit|rollouts|device_groups)"/.test(statement.sql)) readings += 1
      await pause()
      return driver.run(statement)
    },
    batch: (statements) => driver.batch(statements),
  })

const clock = () => 1_800_000_000_000

const createServices = (now = clock) => {
  const db = openSlowDatabase()
  return { db, reader: db, clock: now, log: silent, settings: { revisionsKept: 1 } }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Packages that count the digests. */
const createCountedPackages = () => {
  const packages = createFilePackages(folder, 64)
  return {
    ...packages,
    async find(key: string) {
      const file = await packages.find(key)
      return (
        file && {
          ...file,
          async digest() {
            readings += 1
            await pause()
            return file.digest()
          },
        }
      )
    },
  }
}

const release = {
  id: '1.0.0',
  precedence: '',
  recommended: true,
  mandatory: false,
  allowed: true,
  uris: [{ os: 'UNIX', uri: 'file:///cardwire.deb' }],
  wrappedKey: null,
  revision: 1,
  createdAt: 0,
  updatedAt: 0,
} as const

const readers = {
  'the catalog': () => {
    const read = createCatalogReader(createServices())
    return () => read()
  },
  'the configurations of a version': async () => {
    const catalog = await createCatalogReader(createServices())()
    return () => catalog.getConfigurations('1.0.0')
  },
  'the origins of all allowlists': () =>
    createAllowedOriginsReader({ db: openSlowDatabase(), clock }),
  'the digest of an installer': () => {
    const offer = createOfferWriter({ packages: createCountedPackages(), clock }, () => '')
    return () => offer({ ...release, uris: [...release.uris] }, 'UNIX', {})
  },
}

test.each(Object.entries(readers))('%s: a hundred requests read once', async (_, create) => {
  proves('one-reading')
  const read = await create()
  readings = 0
  const results = await Promise.all(Array.from({ length: 100 }, () => read()))
  expect(readings).toBe(1)
  for (const result of results) expect(result).toStrictEqual(results[0])
  await read()
  expect(readings).toBe(1)
})

const addToAudit = (kind: string) =>
  driver.run({
    sql: `insert into audit (at, subject, name, operation, kind, id, fields) values (0, '', '', '', ?, '', '')`,
    params: [kind],
  })

test.each([
  ['the catalog', createCatalogReader],
  ['the origins of all allowlists', createAllowedOriginsReader],
] as const)('%s: a change is seen after the clock was set back', async (_, createReader) => {
  proves('one-reading')
  let now = clock()
  const read = createReader(createServices(() => now))
  await read()
  now -= 6 * 3_600_000
  await addToAudit('configuration')
  readings = 0
  await read()
  expect(readings).toBe(1)
})

test.each([
  [
    'the catalog',
    createCatalogReader,
    ['version', 'rollout', 'group', 'configuration', 'installer', 'keystore'],
  ],
  ['the origins of all allowlists', createAllowedOriginsReader, ['configuration']],
] as const)('%s: only changes of it have it read again', async (_, createReader, kinds) => {
  proves('one-reading')
  const read = createReader(createServices())
  const count = async (kind: string) => {
    await addToAudit(kind)
    readings = 0
    await read()
    return [kind, readings] as const
  }
  await read()
  for (const kind of ['administrator', 'device', 'label'])
    expect(await count(kind)).toEqual([kind, 0])
  for (const kind of kinds) expect(await count(kind)).toEqual([kind, 1])
})
