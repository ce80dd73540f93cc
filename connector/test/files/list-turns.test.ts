/** Lists of folders that pages ask for at once: few are read, one at a time of an origin, and of all types no more than the page that was asked for. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '@cardwire/protocol'
import { createBinder } from '@cardwire/protocol/hono'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import { bindFileRoutes } from '../../src/api/file-routes.ts'
import { bindFileTypeRoutes } from '../../src/api/file-type-routes.ts'
import { createWorkQueue } from '../../src/api/work-queue.ts'
import type { ApiEnv, Caller } from '../../src/http/route-types.ts'
import type { FileTypes } from '../../src/user/consent/file-types.ts'
import { createTestFolders, type TestFolders } from './temp-folders.ts'

const origin = 'https://shop.example'

let folders: TestFolders
let app: Hono<ApiEnv>
/** Folders that are being read, and the most at once. */
let reading: number
let most: number
/** How many entries were asked for. */
let sizes: number[]
beforeEach(async () => {
  folders = await createTestFolders()
  for (const name of ['a', 'b']) writeFileSync(join(folders.root, `${name}.txt`), name)
  for (const name of ['c', 'd']) writeFileSync(join(folders.outside, `${name}.txt`), name)
  reading = 0
  most = 0
  sizes = []
  app = createApp()
})
afterEach(() => folders.remove())

function createApp() {
  const created = new Hono<ApiEnv>()
  created.onError((error) =>
    Response.json(error.message, { status: error instanceof Problem ? error.status : 500 }),
  )
  const count = async <T>(read: () => Promise<T>): Promise<T> => {
    reading += 1
    most = Math.max(most, reading)
    return read().finally(() => {
      reading -= 1
    })
  }
  const { exchange } = folders
  const types = [
    { ...folders.type, isManaged: true },
    { ...folders.type, type: 'orders', path: folders.outside, isManaged: true },
  ]
  const fileTypes: FileTypes = {
    list: () => types,
    find: (_origin, _entity, name) => types.find(({ type }) => type === name),
    save: () => undefined,
    remove: () => false,
  }
  const services = {
    consents: { isActive: () => true, onEnd: () => () => undefined },
    ...{ allowlist: () => [origin], onAllowlist: () => () => undefined },
    ...{ findPolicyEnd: () => undefined, clock: () => 0, log: silentLog, fileTypes },
    askForFolder: async () => ({ problem: 'file-type-refused', reason: 'no' }) as const,
    fileExchange: {
      ...exchange,
      list: (...[folder, page]: Parameters<typeof exchange.list>) => {
        sizes.push(page?.size ?? Number.NaN)
        return count(() => exchange.list(folder, page))
      },
      describe: (type: Parameters<typeof exchange.describe>[0]) =>
        count(() => exchange.describe(type)),
    },
  }
  const bind = createBinder<ApiEnv, Caller>(created, async (_, { req }) => ({
    ...{ kind: 'page', consentId: 'a consent', label: undefined, expiresAt: Infinity },
    origin: req.header('origin') ?? origin,
  }))
  const queueLists = createWorkQueue(2, () => undefined)
  bindFileTypeRoutes(bind, services, queueLists)
  bindFileRoutes(bind, services, { queueWork: queueLists, queueLists })
  return created
}

const ask = async (operation: string, body: object, from = origin) => {
  const path = `/v3/modules/fileexchange/apps/file/${operation}`
  const headers = { origin: from, 'content-type': 'application/json' }
  const answer = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, json: await answer.json() }
}

test.each([
  ['list-type-content', { entity: 'shop', type: 'invoices' }],
  ['list-content', { entity: 'shop' }],
  ['list-type', { entity: 'shop', type: 'invoices' }],
  ['list-types', {}],
  ['create-type', { entity: 'shop', type: 'invoices' }],
])('%s reads one folder at a time for an origin, and two in all', async (operation, body) => {
  proves('files-flood')
  const own = await Promise.all(Array.from({ length: 6 }, () => ask(operation, body)))
  expect([own.map(({ status }) => status), most]).toEqual([own.map(() => 200), 1])
  await Promise.all(['a', 'b', 'c'].map((name) => ask(operation, body, `https://${name}.example`)))
  expect(most).toBe(2)
})

test.each([
  ['ASC', 1, 2, ['b.txt', 'c.txt']],
  ['DESC', 0, 3, ['d.txt', 'c.txt', 'b.txt']],
  ['ASC', 3, 10, ['d.txt']],
])('of all types %s from %i on %i are read', async (sort, start, size, names) => {
  proves('files-flood')
  const { json } = await ask('list-content', { entity: 'shop', page: { start, size, sort } })
  expect(json.data.files.map(({ name }: { readonly name: string }) => name)).toEqual(names)
  expect(json.data.total).toBe(4)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(size)
})
