/** What pages may send about files, through the compiled connector: paths in the forms of legacy clients, paths that lead out, many files. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Connector, createHome, startConnector } from '../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createRandom } from '../cards/hostile-card.ts'
import { startScriptedBus } from '../desktop/scripted-bus.ts'
import { createFilePage, type FilePage } from './file-page.ts'

const origin = 'https://shop.example'
const type = { entity: 'shop', type: 'notes' }

let folder: string
let home: string
let display: Display
let stopBus: () => void
let connector: Connector
let page: FilePage
/** What came over the message bus, for each notification. */
const notifications: string[] = []

const inType = (...names: readonly string[]) => join(folder, 'notes', ...names)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-files-'))
  await mkdir(inType())
  const cards = join(folder, 'cards.json')
  const folders = [{ origin, ...type, path: inType() }]
  await writeFile(cards, JSON.stringify({ folders }), { mode: 0o600 })
  stopBus = await startScriptedBus(join(folder, 'bus'), {
    call: (client, received) => {
      notifications.push(received)
      client.end()
    },
  })
  display = await startDisplay()
  home = await createHome()
  connector = await startConnector(
    {
      ...display.settings,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'bus')}`,
      CARDWIRE_CARDS: cards,
      CARDWIRE_CORS: origin,
      CARDWIRE_JWT: 'off',
    },
    home,
  )
  page = await createFilePage(connector, display, origin)
})
afterAll(async () => {
  await connector?.stop()
  await display?.stop()
  stopBus?.()
  for (const path of [folder, home]) await rm(path, { recursive: true, force: true })
})

/** As legacy clients make one field of it: of each segment the first backslash is a slash, slashes part it, commas join all. */
const joinPath = (path: readonly string[]) =>
  path.flatMap((segment) => segment.replace('\\', '/').split('/')).join(',')

describe('the folder of a download', () => {
  let run = 0
  /** Where the file lies that was written so, from the folder of the type. */
  const write = async (relPath: string | undefined, segments: readonly string[] = []) => {
    run += 1
    const fields = {
      ...type,
      fileName: `file${run}.txt`,
      ...(relPath !== undefined && { relPath }),
    }
    const { status, json } = await page.download(fields, 'x', segments)
    return status === 200 ? relative(inType(), join(json.data, '..')) : json.code
  }
  beforeAll(async () => {
    for (const path of ['a/b/c/d', 'a,b']) await mkdir(inType(path), { recursive: true })
  })

  test.each<[readonly string[], string, string]>([
    [['a\\b/c', 'd'], 'a,b,c,d', 'a/b/c/d'],
    [['a\\b\\c'], 'a,b\\c', 'a/b/c'],
    [['a', 'b'], 'a,b', 'a/b'],
    [['a/b', '', 'c'], 'a,b,,c', 'a/b/c'],
    [[], '', ''],
  ])('that legacy clients name %j is one field, %j', async (path, field, found) => {
    proves('file-transfer-form')
    expect(joinPath(path)).toBe(field)
    expect(await write(field)).toBe(found)
  })

  test.each<[readonly string[], string]>([
    [['a', 'b'], 'a/b'],
    [['a\\b/c', 'd'], 'a/b/c/d'],
    // A client of ours says by an empty field that the comma is of the name.
    [['a,b', ''], 'a,b'],
    [['a/b'], 'a/b'],
  ])('that is named by fields %j is %j', async (segments, found) => {
    proves('file-transfer-form')
    expect(await write(undefined, segments)).toBe(found)
  })

  test.each([
    '..',
    'a,..',
    'a/../..',
    '/etc',
    'C:',
    'C:\\,Windows',
    'a,b,nul',
    'a/',
    '\uff0e\uff0e',
  ])('that leads out or to no folder is refused: %j', async (field) => {
    expect(await write(field)).toBe('504002')
  })

  test('may lie 32 levels deep, and no deeper', async () => {
    proves('file-limits')
    const levels = Array.from({ length: 32 }, (_, at) => `l${at}`)
    const made = await page.call('create-dir', { ...type, relPath: levels, recursive: true })
    expect(made.status).toBe(200)
    expect(await write(levels.join(','))).toBe(levels.join('/'))
    expect(await write([...levels, 'l32'].join(','))).toBe('106004')
    expect(await write([...levels, 'l32'].join('/'))).toBe('504002')
  })

  test('is that of a type that is there, unless the form says to make it', async () => {
    proves('download-creates-type')
    const unknown = { entity: 'shop', type: 'other', fileName: 'x.txt' }
    for (const implicitCreationType of ['false', '']) {
      const { status, json } = await page.download({ ...unknown, implicitCreationType }, 'x')
      expect([status, json.code]).toEqual([422, '505001'])
    }
    // Nobody is asked for a type that is there.
    const there = { ...type, fileName: 'implicit.txt', implicitCreationType: 'true' }
    expect((await page.download(there, 'x')).status).toBe(200)
  })
})

test('a user is notified of a transfer when the page says so, with the origin and the file', async () => {
  proves('file-transfer-notified')
  const fields = { ...type, fileName: 'told.txt' }
  await page.download({ ...type, fileName: 'quiet.txt', notifyOnCompletion: 'false' }, 'x')
  await page.call('upload', { ...type, fileName: 'quiet.txt' })
  await page.download({ ...fields, notifyOnCompletion: 'true' }, 'x')
  await page.call('upload', { ...fields, notifyOnCompletion: true })
  const isNotified = (text: string) => notifications.some((received) => received.includes(text))
  await expect.poll(() => isNotified(`${origin} saved the file told.txt`)).toBe(true)
  await expect.poll(() => isNotified(`${origin} read the file told.txt`)).toBe(true)
  expect(isNotified('quiet.txt')).toBe(false)
})

test('folders of one call are made one for each path, and those that are there stay', async () => {
  proves('file-type-moved')
  const relPath = ['2026/may', '2026/june', '2026/may']
  const { status, json } = await page.call('create-type-dirs', { ...type, relPath, modal: true })
  expect([status, json.data?.total]).toEqual([200, 3])
  expect(json.data.files[1]).toMatchObject({
    ...type,
    name: 'june',
    relPath: ['2026'],
    isDir: true,
  })
  expect((await readdir(inType('2026'))).toSorted()).toEqual(['june', 'may'])
  const refused = await page.call('create-type-dirs', { ...type, relPath: ['2026/..'] })
  expect([refused.status, refused.json.code]).toEqual([422, '504002'])
  const managed = await page.call('update-type', type)
  expect([managed.status, managed.json.code]).toEqual([409, '505003'])
})

test('10,000 files are listed, as a whole and page by page', async () => {
  proves('file-limits')
  await mkdir(inType('many'))
  const names = Array.from({ length: 10_000 }, (_, at) => `f${String(at).padStart(4, '0')}.txt`)
  for (const name of names) await writeFile(inType('many', name), '')
  const list = async (part: object | undefined) => {
    const body = { ...type, relPath: ['many'], page: part }
    const { data } = (await page.call('list-type-content', body)).json
    return { total: data.total, names: data.files.map(({ name }: { name: string }) => name) }
  }
  expect(await list(undefined)).toEqual({ total: 10_000, names })
  const part = await list({ start: 9990, size: 20, sort: 'ASC' })
  expect(part).toEqual({ total: 10_000, names: names.slice(9990) })
  const last = await list({ start: 0, size: 1, sort: 'DESC' })
  expect(last.names).toEqual(names.slice(-1))
})

describe('whatever paths a page sends', () => {
  const secret = 'what no page reads'
  const pieces = [
    ...['..', '.', '', 'sub', 'out', 'secret.txt', 'inside.txt', '/', '\\', 'C:', 'C:\\', 'a:b'],
    ...['NUL', 'con.txt', '...', '\uff0e\uff0e', '\u2025', '..\u0000', '.. ', '%2e%2e', '..\\'],
    ...['new.txt', 'e\u0301.txt', '\u00e9.txt', '.hidden', 'a'.repeat(300), '//server/share'],
    ...['../../outside/secret.txt', 'run.exe', '\ud800'],
  ]
  const random = createRandom(3)
  const piece = () => random.pick(pieces)
  const path = () => Array.from({ length: random.integer(4) }, piece)

  test('nothing outside of the folder is read or written, and each answer is a problem or right', async () => {
    proves('file-path-escape', 'folder-path-shows-account')
    const outside = join(folder, 'outside')
    await mkdir(outside)
    await writeFile(join(outside, 'secret.txt'), secret)
    await mkdir(inType('sub'))
    await writeFile(inType('sub', 'inside.txt'), 'inside')
    await symlink(outside, inType('out'))
    await symlink(join(outside, 'secret.txt'), inType('secret.txt'))
    const before = (await readdir(folder)).toSorted()
    const statuses = new Set<number>()
    for (let run = 0; run < 300; run += 1) {
      const [relPath, fileName] = [path(), piece()]
      const file = { ...type, relPath, fileName }
      const target = { entity: 'shop', fromType: 'notes', toType: 'notes', fileName: 'inside.txt' }
      const answers = [
        await page.download({ ...type, fileName, relPath: joinPath(relPath) }, 'written'),
        await page.download({ ...type, fileName }, 'written', relPath),
        await page.call('upload', file),
        await page.call('get-file-info', file),
        await page.call('list-type-content', { ...type, relPath }),
        await page.call('exist-file', { ...type, relPath: [...relPath, fileName] }),
        await page.call('create-dir', { ...type, relPath, recursive: true }),
        await page.call('copy-file', {
          ...{ ...target, fromRelPath: ['sub'], newFileName: fileName, toRelPath: relPath },
        }),
        await page.call('rename-file', { ...file, newFileName: piece() }),
      ]
      for (const { status, text } of answers) {
        statuses.add(status)
        expect(text).not.toContain(secret)
      }
    }
    expect([...statuses].toSorted()).toEqual([200, 409, 422])
    expect((await readdir(folder)).toSorted()).toEqual(before)
    expect(await readdir(outside)).toEqual(['secret.txt'])
    expect(existsSync('/server')).toBe(false)
  })
})
