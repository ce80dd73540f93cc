/** Files of pages that come at once: few are in memory, and a user who is asked keeps nobody waiting. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyFile, downloadFile, moveFile, Problem, uploadFile } from '@cardwire/protocol'
import { createBinder } from '@cardwire/protocol/hono'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../../test/bed/log.ts'
import { proves } from '../../../test/bed/proves.ts'
import { bindFileMoveRoutes } from '../../src/api/file-move-routes.ts'
import { bindFileTransferRoutes } from '../../src/api/file-transfer-routes.ts'
import { createRequirePage } from '../../src/api/page-watch.ts'
import { createWorkQueue } from '../../src/api/work-queue.ts'
import type { ApiEnv, Caller } from '../../src/http/route-types.ts'
import type { FileTypes, OriginFileType } from '../../src/user/consent/file-types.ts'
import type { AskForFolder } from '../../src/user/dialogs/folder-request.ts'
import { createTestFolders, type TestFolders } from './temp-folders.ts'

const origin = 'https://shop.example'
/** The page that a request is from: this header is its origin. */
const createCaller = (from = origin): Caller => ({
  ...{ kind: 'page', origin: from, consentId: 'a consent' },
  ...{ label: undefined, expiresAt: Infinity },
})

/** Each has at most one of the two places. */
const origins = [origin, 'https://a.example', 'https://b.example']

let folders: TestFolders
/** The types that the origin has; the user's choice adds one. */
let types: OriginFileType[]
let chosen: PromiseWithResolvers<Awaited<ReturnType<AskForFolder>>>
let disk: PromiseWithResolvers<void>
/** How many bodies are read, and how many files are being written. */
let reading: number
let writing: number
let hasConsent: boolean
/** Called when a file comes, and when one has been read. */
let onBody: () => void
let onRead: () => void
/** Notifications on the desktop. */
let shown: string[]
beforeEach(async () => {
  folders = await createTestFolders()
  types = [{ ...folders.type, isManaged: true }]
  chosen = Promise.withResolvers()
  disk = Promise.withResolvers()
  reading = 0
  writing = 0
  hasConsent = true
  onBody = () => undefined
  onRead = () => undefined
  shown = []
})
afterEach(() => folders.remove())

function createApp(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>()
  app.onError((error) =>
    Response.json(error.message, { status: error instanceof Problem ? error.status : 500 }),
  )
  const access = {
    consents: { isActive: () => hasConsent, onEnd: () => () => undefined },
    allowlist: () => origins,
    onAllowlist: () => () => undefined,
    findPolicyEnd: () => undefined,
    clock: () => 0,
  }
  const fileExchange = {
    ...folders.exchange,
    read: (...file: Parameters<typeof folders.exchange.read>) =>
      folders.exchange.read(...file).finally(onRead),
    async write(...file: Parameters<typeof folders.exchange.write>) {
      writing += 1
      await disk.promise
      return folders.exchange.write(...file)
    },
  }
  const fileTypes: FileTypes = {
    list: () => types,
    find: (_origin, _entity, name) => types.find(({ type }) => type === name),
    save: (_origin, type) => void types.push({ origin, ...type, isManaged: false }),
    remove: () => false,
  }
  const bind = createBinder<ApiEnv, Caller>(app, async (_, { req }) =>
    createCaller(req.header('origin')),
  )
  const queueWork = createWorkQueue(2, createRequirePage(access))
  bindFileMoveRoutes(bind, { fileTypes, fileExchange }, queueWork)
  bindFileTransferRoutes(
    bind,
    {
      ...access,
      log: silentLog,
      counters: {
        add: () => undefined,
        batches: () => [],
        acknowledge: () => undefined,
        list: () => [],
      },
      notifier: { show: async ({ text }) => shown.push(text) > 0 },
      user: { language: 'de-DE' },
      askForFolder: () => chosen.promise,
      fileTypes,
      fileExchange,
    },
    queueWork,
  )
  return app
}

/** The form of a page, whose bytes are counted as soon as somebody asks for them. */
async function download(app: Hono<ApiEnv>, fileName: string, type = 'invoices', from = origin) {
  const form = new FormData()
  const fields = {
    entity: 'shop',
    type,
    fileName: `${fileName}.txt`,
    implicitCreationType: 'true',
    notifyOnCompletion: 'true',
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob(['content']))
  const encoded = new Response(form)
  const headers = { origin: from, 'content-type': encoded.headers.get('content-type') ?? '' }
  const bytes = new Uint8Array(await encoded.arrayBuffer())
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        reading += 1
        onBody()
        controller.enqueue(bytes)
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const init = { method: 'POST', headers, body, duplex: 'half' }
  return app.request('/v3/modules/fileexchange/apps/file/download', init, {
    keepOpen: () => undefined,
  })
}

/** Files of two other origins that are being written; those that are asked for now wait. */
const takePlaces = (app: Hono<ApiEnv>) =>
  Promise.all(['a', 'b'].map((name) => download(app, name, 'invoices', `https://${name}.example`)))

test('nothing of a third file is read while two are being written', async () => {
  proves('files-flood')
  const app = createApp()
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const answers = names.map((name, at) => download(app, name, 'invoices', origins[at % 3]))
  await expect.poll(() => writing).toBe(2)
  expect(reading).toBe(2)
  disk.resolve()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(names.map(() => 200))
  expect(reading).toBe(6)
})

test('bodies of one page that come slowly keep no file of another page waiting', async () => {
  proves('files-flood')
  const app = createApp()
  disk.resolve()
  let started = 0
  const ended = Promise.withResolvers<void>()
  const sendSlowly = () =>
    app.request(
      downloadFile.path,
      {
        ...{ method: 'POST', duplex: 'half' },
        headers: { origin, 'content-type': 'multipart/form-data; boundary=x' },
        body: new ReadableStream<Uint8Array>(
          {
            async pull(controller) {
              started += 1
              await ended.promise
              controller.close()
            },
          },
          { highWaterMark: 0 },
        ),
      } as RequestInit,
      { keepOpen: () => undefined },
    )
  const slow = [1, 2, 3].map(sendSlowly)
  await expect.poll(() => started).toBeGreaterThan(0)
  const other = await download(app, 'a', 'invoices', 'https://a.example')
  expect([other.status, started]).toEqual([200, 1])
  ended.resolve()
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([400, 400, 400])
})

test('the pages that wait have their turns one after the other', async () => {
  proves('files-flood')
  const app = createApp()
  const done: string[] = []
  const names = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'shop']
  const answers = names.map(async (name, at) => {
    await download(app, `${name}${at}`, 'invoices', `https://${name}.example`)
    done.push(`${name}${at}`)
  })
  await expect.poll(() => writing).toBe(2)
  disk.resolve()
  await Promise.all(answers)
  expect(done.indexOf('shop7')).toBeLessThan(6)
})

test('while users are asked for folders, the files of others are written', async () => {
  proves('files-flood')
  const app = createApp()
  disk.resolve()
  const waiting = ['x', 'y', 'z'].map((type) => download(app, type, type))
  await expect.poll(() => reading).toBe(3)
  expect((await download(app, 'a')).status).toBe(200)
  chosen.resolve({ path: folders.outside })
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('a page whose consent ends while its file comes has written nothing', async () => {
  proves('foreign-files')
  const app = createApp()
  disk.resolve()
  onBody = () => {
    hasConsent = false
  }
  expect((await download(app, 'late')).status).toBe(403)
  expect(readdirSync(folders.root)).toEqual([])
})

test('a page whose consent ends while its file waits for its turn has written nothing', async () => {
  proves('foreign-files')
  const app = createApp()
  const chosenLate = download(app, 'late', 'another')
  await expect.poll(() => reading).toBe(1)
  const busy = takePlaces(app)
  await expect.poll(() => writing).toBe(2)
  chosen.resolve({ path: folders.outside })
  await expect.poll(() => types).toHaveLength(2)
  hasConsent = false
  disk.resolve()
  expect((await chosenLate).status).toBe(403)
  await busy
  expect(writing).toBe(2)
})

const ask = (app: Hono<ApiEnv>, path: string, body: object, signal?: AbortSignal) =>
  app.request(
    new Request(`https://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ entity: 'shop', ...body }),
      ...(signal && { signal }),
    }),
    undefined,
    { keepOpen: () => undefined },
  )

test.each([
  ['copied', copyFile.path],
  ['moved', moveFile.path],
])(
  'a file that waits for its turn when the consent of its page ends is not %s, also in a folder of the administrator',
  async (_, path) => {
    proves('foreign-files', 'consent-given-again')
    writeFileSync(join(folders.root, 'kept.txt'), 'content')
    const app = createApp()
    const busy = takePlaces(app)
    await expect.poll(() => writing).toBe(2)
    const place = { fromType: 'invoices', toType: 'invoices', fileName: 'kept.txt' }
    const late = ask(app, path, { ...place, toRelPath: ['below'] })
    mkdirSync(join(folders.root, 'below'))
    hasConsent = false
    disk.resolve()
    expect((await late).status).toBe(403)
    await busy
    expect(readdirSync(join(folders.root, 'below'))).toEqual([])
  },
)

test('files whose page has given up are not read when their turn comes', async () => {
  proves('work-abandoned')
  writeFileSync(join(folders.root, 'large.txt'), 'content')
  const app = createApp()
  const busy = takePlaces(app)
  await expect.poll(() => writing).toBe(2)
  let reads = 0
  onRead = () => {
    reads += 1
  }
  const place = { type: 'invoices', fileName: 'large.txt' }
  const gone = new AbortController()
  const abandoned = [1, 2, 3].map(() => ask(app, uploadFile.path, place, gone.signal))
  const wanted = ask(app, uploadFile.path, place)
  gone.abort()
  disk.resolve()
  expect((await wanted).status).toBe(200)
  await Promise.all([busy, ...abandoned])
  expect(reads).toBe(1)
})

test('a page whose consent ends while its file is read gets nothing of it', async () => {
  proves('foreign-files')
  const app = createApp()
  disk.resolve()
  expect((await download(app, 'a')).status).toBe(200)
  const upload = () =>
    app.request(
      '/v3/modules/fileexchange/apps/file/upload',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ entity: 'shop', type: 'invoices', fileName: 'a.txt' }),
      },
      { keepOpen: () => undefined },
    )
  expect(await (await upload()).text()).toBe('content')
  onRead = () => {
    hasConsent = false
  }
  expect((await upload()).status).toBe(403)
})

test('a form of many parts is refused before it is read', async () => {
  proves('files-flood')
  const app = createApp()
  const part = '--x\r\nContent-Disposition: form-data; name="relPath"\r\n\r\na\r\n'
  const send = (parts: number) =>
    app.request(
      '/v3/modules/fileexchange/apps/file/download',
      {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        body: `${part.repeat(parts)}--x--\r\n`,
      },
      { keepOpen: () => undefined },
    )
  expect(await (await send(64)).text()).toContain('missing')
  expect(await (await send(65)).text()).toContain('more than 64 parts')
})

test('a page that writes many files shows one notification, with its origin', async () => {
  proves('file-notifications-flood')
  const app = createApp()
  disk.resolve()
  for (const name of ['first', 'second', 'third']) await download(app, name)
  expect(shown).toEqual([`${origin} hat die Datei first.txt gespeichert`])
})
