/** File exchange of the compiled connector, as pages with consent and legacy clients use it: folders of the administrator. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Connector, createHome, startConnector } from '../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createFilePage, type FilePage } from './file-page.ts'

const origins = { shop: 'https://shop.pages.example', other: 'https://other.pages.example' }
const invoices = { entity: 'shop', type: 'invoices' }

let display: Display
let folder: string
let home: string
let settings: Record<string, string>
let connector: Connector
let shop: FilePage
let other: FilePage

const inFolder = (...names: readonly string[]) => join(folder, 'invoices', ...names)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-files-'))
  await mkdir(inFolder('2026', 'may'), { recursive: true })
  await mkdir(join(folder, 'letters'))
  await writeFile(inFolder('a.pdf'), 'content of a')
  const cards = join(folder, 'cards.json')
  const folders = [
    { origin: origins.shop, ...invoices, path: inFolder() },
    { origin: origins.shop, entity: 'shop', type: 'letters', path: join(folder, 'letters') },
    { origin: origins.shop, entity: 'shop', type: 'gone', path: join(folder, 'gone') },
  ]
  await writeFile(cards, JSON.stringify({ folders }), { mode: 0o600 })
  display = await startDisplay()
  home = await createHome()
  settings = {
    ...display.settings,
    CARDWIRE_CARDS: cards,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
  }
  connector = await startConnector(settings, home)
  shop = await createFilePage(connector, display, origins.shop)
  other = await createFilePage(connector, display, origins.other)
})
afterAll(async () => {
  await connector?.stop()
  await display?.stop()
  for (const path of [folder, home]) await rm(path, { recursive: true, force: true })
})

test('the module is listed, on every system and without a card', async () => {
  const { json } = await connector.request('/v3/modules/fileexchange')
  expect(json.data).toMatchObject({ id: 'fileexchange', cards: false })
})

describe('a page whose origin has a folder of the administrator', () => {
  test('lists its types, and one whose folder is gone as UNMAPPED', async () => {
    const { json } = await shop.call('list-types', { entity: 'shop' })
    expect(json.data).toEqual({
      total: 3,
      types: [
        { ...{ entity: 'shop', type: 'gone' }, path: join(folder, 'gone'), ...unmapped },
        { ...invoices, path: inFolder(), access: 'rw', status: 'MAPPED', files: 2 },
        {
          ...{ entity: 'shop', type: 'letters', path: join(folder, 'letters') },
          ...{ access: 'rw', status: 'MAPPED', files: 0 },
        },
      ],
    })
    expect((await shop.call('exist-type', invoices)).json.data).toBe(true)
    expect((await shop.call('list-type', invoices)).json.data).toEqual(json.data.types[1])
    const gone = await shop.call('list-type-content', { entity: 'shop', type: 'gone' })
    expect([gone.status, gone.json.code]).toEqual([409, '505002'])
  })

  test('lists files, reads one, and gets its bytes as they are', async () => {
    proves('file-transfer-form')
    const { json } = await shop.call('list-type-content', invoices)
    expect(json.data.files.map(({ name }: { name: string }) => name)).toEqual(['2026', 'a.pdf'])
    expect(json.data.files[1]).toMatchObject({
      ...invoices,
      ...{ name: 'a.pdf', extension: 'pdf', path: inFolder('a.pdf'), relPath: [] },
      ...{ size: 12, isDir: false, access: 'rw' },
    })
    const { status, headers, text } = await shop.call('upload', { ...invoices, fileName: 'a.pdf' })
    expect([status, headers['content-type'], text]).toEqual([
      200,
      'application/octet-stream',
      'content of a',
    ])
    expect(headers['access-control-allow-origin']).toBe(origins.shop)
  })

  test('writes the form of legacy clients: the segments joined by commas, the file called blob', async () => {
    proves('file-transfer-form')
    const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 251)
    const fields = { ...invoices, fileName: 'mai é.bin', relPath: '2026,may' }
    const { status, json } = await shop.download(fields, bytes)
    expect([status, json.data ?? json]).toEqual([200, inFolder('2026', 'may', 'mai é.bin')])
    expect(Buffer.compare(await readFile(json.data), bytes)).toBe(0)
    const back = await shop.call('upload', {
      ...{ ...invoices, fileName: 'mai é.bin' },
      relPath: ['2026/may'],
    })
    expect(Buffer.compare(back.bytes, bytes)).toBe(0)
  })

  test('writes the form of clients before 3.5.0, whose segments are fields of their own', async () => {
    proves('file-transfer-form')
    const segments = ['2026', 'may']
    const { status } = await shop.download({ ...invoices, fileName: 'old.txt' }, 'old', segments)
    expect(status).toBe(200)
    expect(await readFile(inFolder('2026', 'may', 'old.txt'), 'utf8')).toBe('old')
  })

  test('is refused what would replace a file, and may repeat what it has written', async () => {
    proves('file-executed')
    const fields = { ...invoices, fileName: 'kept.txt' }
    expect((await shop.download(fields, 'first')).status).toBe(200)
    expect((await shop.download(fields, 'first')).status).toBe(200)
    const { status, json } = await shop.download(fields, 'second')
    expect([status, json.code]).toEqual([409, '513002'])
    expect(await readFile(inFolder('kept.txt'), 'utf8')).toBe('first')
  })

  test('copies, moves and renames, and makes folders', async () => {
    proves('file-operations')
    await writeFile(inFolder('one.txt'), 'one')
    const between = { entity: 'shop', fromType: 'invoices', toType: 'letters' }
    const copied = await shop.call('copy-file', {
      ...{ ...between, fileName: 'one.txt', newFileName: 'two.txt' },
    })
    expect(copied.json.data).toMatchObject({ name: 'two.txt', type: 'letters', size: 3 })
    const moved = await shop.call('move-file', { ...between, fileName: 'one.txt' })
    expect(moved.json.data).toMatchObject({ name: 'one.txt', type: 'letters' })
    const letters = { entity: 'shop', type: 'letters' }
    const renamed = await shop.call('rename-file', {
      ...{ ...letters, fileName: 'one.txt', newFileName: 'three.txt' },
    })
    expect(renamed.json.data).toMatchObject({ name: 'three.txt', type: 'letters' })
    const made = await shop.call('create-dir', {
      ...{ ...letters, relPath: ['x', 'y'], recursive: true },
    })
    expect(made.json.data).toMatchObject({ name: 'y', relPath: ['x'], isDir: true, size: 0 })
    const all = await shop.call('list-content', { entity: 'shop', page: { start: 0, size: 9 } })
    const names = all.json.data.files.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['two.txt', 'three.txt', 'x', 'a.pdf']))
    expect(names).not.toContain('one.txt')
    const exists = async (relPath: readonly string[]) =>
      (await shop.call('exist-file', { ...letters, relPath })).json.data
    expect(await Promise.all([exists(['x', 'y']), exists(['three.txt']), exists(['z'])])).toEqual([
      true,
      true,
      false,
    ])
    const mode = await shop.call('get-access-mode', { ...letters, fileName: 'three.txt' })
    expect(mode.json.data).toBe('rw')
  })
})

test('deleting a type that does not exist is a clean problem, and so is one of the administrator', async () => {
  proves('unknown-file-type-refused')
  const unknown = await shop.call('delete-type', { entity: 'shop', type: 'nothing' })
  expect([unknown.status, unknown.json.code]).toEqual([422, '505001'])
  expect(unknown.json).toMatchObject({ success: false, description: expect.any(String) })
  const managed = await shop.call('delete-type', invoices)
  expect([managed.status, managed.json.code]).toEqual([409, '505003'])
  expect((await shop.call('exist-type', invoices)).json.data).toBe(true)
})

describe('a page of another origin', () => {
  test('sees no type of the first, and reaches no file of it', async () => {
    proves('foreign-files')
    expect((await other.call('list-types', {})).json.data).toEqual({ types: [], total: 0 })
    expect((await other.call('exist-type', invoices)).json.data).toBe(false)
    for (const [path, more] of [
      ['list-type', {}],
      ['list-type-content', {}],
      ['upload', { fileName: 'a.pdf' }],
      ['get-file-info', { fileName: 'a.pdf' }],
      ['create-dir', { relPath: ['x'] }],
    ] as const) {
      const { status, json } = await other.call(path, { ...invoices, ...more })
      expect([path, status, json.code]).toEqual([path, 422, '505001'])
    }
    const { json } = await other.download({ ...invoices, fileName: 'x.txt' }, 'x')
    expect(json.code).toBe('505001')
  })
})

test('a program is refused: types belong to the origins of pages', async () => {
  proves('foreign-files')
  const { status, json } = await connector.request(
    '/v3/modules/fileexchange/apps/file/list-types',
    {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    },
  )
  expect([status, json.code]).toEqual([403, '104005'])
})

const unmapped = { access: '', status: 'UNMAPPED', files: 0 }
