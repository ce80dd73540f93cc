import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createWindows } from '../../../test/bed/windows.ts'
import { createFilePage, type FilePage } from '../binary/file-page.ts'
import {
  type ScriptedCardService,
  startScriptedCardService,
} from '../scripted-card-service/service.ts'
import { buildWindowsConnector, type RunningConnector } from './windows-connector.ts'
import { openWine, type Wine } from './wine.ts'

const origin = 'https://shop.example'
const type = { entity: 'shop', type: 'notes' }

let folder: string
let wine: Wine
let display: Display
let service: ScriptedCardService
let running: RunningConnector
let page: FilePage

const onDrive = (...names: readonly string[]) => join(folder, 'prefix/drive_c/files', ...names)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-windows-'))
  wine = await openWine(join(folder, 'prefix'))
  await mkdir(onDrive('notes', 'sub'), { recursive: true })
  await writeFile(onDrive('outside.txt'), 'outside')
  await writeFile(onDrive('notes', 'a long name.txt'), 'long')
  await writeFile(onDrive('notes', 'plain.txt'), 'plain')
  const folders = [{ origin, ...type, path: 'C:\\files\\notes' }]
  await writeFile(onDrive('cards.json'), JSON.stringify({ folders }), { mode: 0o600 })
  await makeDesktop()
  display = await startDisplay()
  service = await startScriptedCardService()
  const connector = await buildWindowsConnector(wine, join(folder, 'program'), {
    ...service.env,
    ...display.settings,
    CARDWIRE_API_PORTS: '26200-26999',
    CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
    CARDWIRE_CARDS: 'C:\\files\\cards.json',
    CARDWIRE_CORS: origin,
    CARDWIRE_JWT: 'off',
  })
  running = await connector.run()
  // Wine's first look at the clipboard may take longer than the connector waits.
  await vi.waitFor(async () => (page = await createFilePage(running, display, origin)), {
    ...{ timeout: 120_000, interval: 15_000 },
  })
})
afterAll(async () => {
  await running?.stop()
  await wine?.stop()
  await service?.stop()
  await display?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The folder that the window begins with, in the place of Wine's link to the home of this account. */
async function makeDesktop(): Promise<void> {
  const users = join(folder, 'prefix/drive_c/users')
  const [user = ''] = (await readdir(users)).filter((name) => name !== 'Public')
  await rm(join(users, user, 'Desktop'), { recursive: true, force: true })
  await mkdir(join(users, user, 'Desktop'))
}

/** Presses keys in the window of this title, as soon as it is there. */
const press = (title: string, ...keys: readonly string[]) =>
  createWindows({ ...process.env, ...display.settings }).press(`^${title}$`, ...keys)

const names = async () => (await readdir(onDrive('notes'))).toSorted()

test('a page lists, writes and reads files of a folder of the administrator', async () => {
  proves('file-type-chosen')
  const { json } = await page.call('list-type-content', type)
  expect(json.data.files).toMatchObject([
    { name: 'a long name.txt', path: 'C:\\files\\notes\\a long name.txt' },
    { name: 'plain.txt', size: 5, access: 'rw' },
    { name: 'sub', isDir: true },
  ])
  const written = await page.download({ ...type, fileName: 'é.txt', relPath: 'sub' }, 'written')
  expect(written.json.data).toBe('C:\\files\\notes\\sub\\é.txt')
  const read = await page.call('upload', { ...type, fileName: 'é.txt', relPath: ['sub'] })
  expect(read.text).toBe('written')
})

test('a user gives the page a folder in the windows of Windows, and the page writes there', async () => {
  proves('file-type-chosen')
  const response = page.call('create-type', { entity: 'shop', type: 'chosen', timeout: 60 })
  await press('Browse for Folder', 'Return')
  // The button that refuses has the keys first.
  await press('Cardwire', 'Left', 'Return')
  const { path } = (await response).json.data
  expect(path).toMatch(/^C:\\users\\[^\\]+\\Desktop$/)
  const written = await page.download({ ...type, type: 'chosen', fileName: 'first.txt' }, 'first')
  expect(written.json.data).toBe(`${path}\\first.txt`)
})

test.each([
  ...['NUL', 'con.txt', 'COM1', 'aux.pdf', 'lpt9', 'CONIN$', 'COM\u00b9'],
  ...['plain.txt:stream', 'plain.txt::$DATA', 'C:\\files\\outside.txt', 'C:outside.txt'],
  ...['end.', 'end ', '..\\outside.txt', '\\\\?\\C:\\files\\outside.txt', '\\\\.\\NUL'],
  ...['ALONGN~1.TXT', 'run.exe', 'run.LNK', 'run.exe.', 'run.exe::$DATA', 'a<b', 'a|b', 'a?b'],
])('the name %j is neither written nor read, made or given', async (fileName) => {
  proves('file-path-escape')
  const before = await names()
  const file = { ...type, fileName }
  const answers = [
    await page.download(file, 'x'),
    await page.call('rename-file', { ...type, fileName: 'plain.txt', newFileName: fileName }),
  ]
  // Such a file may be read, and a folder of such a name is only a folder.
  if (!/^run\.\w+$/.test(fileName)) {
    const folder = { ...type, relPath: [fileName], recursive: true }
    answers.push(await page.call('create-dir', folder))
    answers.push(await page.call('upload', file))
    answers.push(await page.call('list-type-content', { ...type, relPath: [fileName] }))
  }
  for (const { status, json } of answers) expect([status, json.code]).toEqual([422, '504002'])
  expect(await names()).toEqual(before)
  expect(await readFile(onDrive('outside.txt'), 'utf8')).toBe('outside')
})

test('a name in other letters is the same file: it is read, and nothing takes its place', async () => {
  proves('file-executed')
  const read = await page.call('upload', { ...type, fileName: 'PLAIN.TXT' })
  expect(read.text).toBe('plain')
  const written = await page.download({ ...type, fileName: 'Plain.TXT' }, 'other')
  expect([written.status, written.json.code]).toEqual([409, '513002'])
  const between = { entity: 'shop', fromType: 'notes', toType: 'notes' }
  const file = { fileName: 'a long name.txt', newFileName: 'PLAIN.txt' }
  const copied = await page.call('copy-file', { ...between, ...file })
  expect([copied.status, copied.json.code]).toEqual([409, '513002'])
  expect(await readFile(onDrive('notes', 'plain.txt'), 'utf8')).toBe('plain')
})
