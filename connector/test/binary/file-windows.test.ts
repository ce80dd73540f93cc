/** Types of files that users make in real windows, through the compiled connector: they choose a folder by keys, and take it back. */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type Connector,
  createHome,
  runCommand,
  startConnector,
} from '../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createWindows } from '../../../test/bed/windows.ts'
import { linkPrograms } from '../desktop/path.ts'
import { readWindow } from '../desktop/read-window.ts'
import { runForDocument } from './command-document.ts'
import { createFilePage, type FilePage } from './file-page.ts'
import { createUser, openInChromium } from './open/user.ts'

const [shop, other] = ['https://shop.example', 'https://other.example']
const invoices = { entity: 'shop', type: 'invoices' }

let display: Display
beforeAll(async () => {
  display = await startDisplay()
})
afterAll(() => display?.stop())

const windows = () => createWindows({ ...process.env, ...display.settings })

async function press(title: string, ...keys: readonly string[]): Promise<void> {
  await windows().focus(`^${title}`)
  await readWindow()
  await windows().pressHere(...keys)
}

/** Writes the path into the window for folders: a slash opens the line for it. */
async function choose(title: string, path: string): Promise<void> {
  await windows().focus(`^${title}`)
  await windows().type(path)
  await windows().pressHere('Return')
}

describe('by zenity', () => {
  let home: string
  let connector: Connector
  let page: FilePage
  beforeAll(async () => {
    home = await createHome()
    await mkdir(join(home, 'invoices'))
    connector = await startConnector(
      {
        ...display.settings,
        NO_AT_BRIDGE: '1',
        PATH: linkPrograms('zenity', 'xclip', 'setpriv'),
        CARDWIRE_CORS: [shop, other].join(','),
        CARDWIRE_JWT: 'off',
      },
      home,
    )
    page = await createFilePage(connector, display, shop)
  })
  afterAll(() => connector?.stop())

  test('a user who chooses a folder and allows it has made a type, for this origin alone', async () => {
    proves('file-type-chosen', 'foreign-files')
    const made = page.call('create-type', { ...invoices, initPath: ['invoices'] })
    await press(`${shop}: choose a folder`, 'Return')
    await press('Cardwire', 'Tab', 'Return')
    const path = join(home, 'invoices')
    const type = { ...invoices, path, status: 'MAPPED', access: 'rw', files: 0 }
    expect((await made).json.data).toEqual(type)
    expect((await page.download({ ...invoices, fileName: 'a.txt' }, 'a')).status).toBe(200)
    expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('a')
    expect((await page.call('create-type', invoices)).json.data).toEqual({ ...type, files: 1 })

    const stranger = await createFilePage(connector, display, other)
    expect((await stranger.call('exist-type', invoices)).json.data).toBe(false)
    const read = await stranger.call('upload', { ...invoices, fileName: 'a.txt' })
    expect(read.json.code).toBe('505001')
  })

  /** The folders of the shop, as the command shows them. */
  const listFolders = () => {
    const { document } = runForDocument(home, ['consents'])
    const consents = document['consents'] as { origin: string; folders: { path: string }[] }[]
    return consents.filter(({ origin }) => origin === shop).flatMap(({ folders }) => folders)
  }

  test('the command shows the folder with the consent, and takes it back alone', async () => {
    proves('file-folders-managed')
    const path = join(home, 'invoices')
    expect(listFolders()).toEqual([{ ...invoices, path }])
    const { out } = runCommand(home, ['consents'])
    expect(out).toContain(`can read and write files in ${path} (shop/invoices)`)
    expect(runCommand(home, ['consents', 'revoke', '--folders', shop])).toMatchObject({ status: 0 })
    expect(listFolders()).toEqual([])
    expect((await page.call('upload', { ...invoices, fileName: 'a.txt' })).json.code).toBe('505001')
    expect((await page.call('list-types', {})).json.data.total).toBe(0)
    const again = runCommand(home, ['consents', 'revoke', '--folders', shop])
    expect([again.status, again.err]).toEqual([
      1,
      expect.stringContaining('you have not chosen a folder'),
    ])
    expect(await readFile(join(path, 'a.txt'), 'utf8')).toBe('a')
  })

  test('the page of cardwire open shows it, and takes it back', async () => {
    proves('file-folders-managed')
    const made = page.call('create-type', { ...invoices, initPath: ['invoices'] })
    await press(`${shop}: choose a folder`, 'Return')
    await press('Cardwire', 'Tab', 'Return')
    expect((await made).status).toBe(200)
    const opened = await createUser({}, { home })
    onTestFinished(() => opened.close())
    const browser = await openInChromium((await opened.open()).address)
    onTestFinished(browser.close)
    await browser.page.getByText(`Can read and write files in: ${join(home, 'invoices')}`).waitFor()
    await browser.page
      .getByRole('button', { name: `Stop sharing these folders with ${shop}` })
      .click()
    await browser.page.getByText('Can read and write files in').waitFor({ state: 'detached' })
    expect((await page.call('exist-type', invoices)).json.data).toBe(false)
  })

  test('a page that ends its type leaves the folder and its files', async () => {
    proves('file-folders-managed')
    const made = page.call('create-type', { ...invoices, initPath: ['invoices'] })
    await press(`${shop}: choose a folder`, 'Return')
    await press('Cardwire', 'Tab', 'Return')
    expect((await made).status).toBe(200)
    expect((await page.call('delete-type', invoices)).json.data).toBe(true)
    const again = await page.call('delete-type', invoices)
    expect([again.status, again.json.code]).toEqual([422, '505001'])
    expect(await readFile(join(home, 'invoices', 'a.txt'), 'utf8')).toBe('a')
  })

  test('a user gives a type another folder, and the one before is no longer of the page', async () => {
    proves('file-type-moved')
    await mkdir(join(home, 'archive'))
    const made = page.call('create-type', { ...invoices, initPath: ['invoices'] })
    await press(`${shop}: choose a folder`, 'Return')
    await press('Cardwire', 'Tab', 'Return')
    expect((await made).status).toBe(200)
    const updated = page.call('update-type', invoices)
    await choose(`${shop}: choose a folder`, join(home, 'archive'))
    await press('Cardwire', 'Tab', 'Return')
    const path = join(home, 'archive')
    expect((await updated).json.data).toMatchObject({ ...invoices, path, files: 0 })
    expect(listFolders()).toEqual([{ ...invoices, path }])
    expect((await page.call('upload', { ...invoices, fileName: 'a.txt' })).json.code).toBe('513001')
    const unknown = await page.call('update-type', { entity: 'shop', type: 'nothing' })
    expect([unknown.status, unknown.json.code]).toEqual([422, '505001'])
  })

  test('folders are made in the folder of a type that the user gives for them', async () => {
    proves('file-type-moved')
    const fields = { entity: 'shop', type: 'months', relPath: ['2026\\may', '2026/june'] }
    await mkdir(join(home, 'months'))
    const made = page.call('create-type-dirs', { ...fields, modal: false, timeout: 60 })
    await choose(`${shop}: choose a folder`, join(home, 'months'))
    await press('Cardwire', 'Tab', 'Return')
    expect((await made).json.data).toMatchObject({
      ...{
        total: 2,
        files: [
          { name: 'may', relPath: ['2026'] },
          { name: 'june', isDir: true },
        ],
      },
    })
    expect((await readdir(join(home, 'months', '2026'))).toSorted()).toEqual(['june', 'may'])
  })

  test('a download makes the type that it names when it says so, and is written there', async () => {
    proves('download-creates-type')
    await mkdir(join(home, 'new'))
    const fields = { entity: 'shop', type: 'new', fileName: 'first.txt' }
    const made = page.download({ ...fields, implicitCreationType: 'true' }, 'first')
    await choose(`${shop}: choose a folder`, join(home, 'new'))
    await press('Cardwire', 'Tab', 'Return')
    expect((await made).json.data).toBe(join(home, 'new', 'first.txt'))
    expect(await readFile(join(home, 'new', 'first.txt'), 'utf8')).toBe('first')
  })

  test('a download makes the type that it names when it says so, by the same windows', async () => {
    proves('download-creates-type', 'folder-too-broad')
    const fields = { entity: 'shop', type: 'implicit', fileName: 'implicit.txt' }
    const made = page.download({ ...fields, implicitCreationType: 'true' }, 'implicit')
    // Without initPath the window begins in the folder of the user, which no page may have.
    await press(`${shop}: choose a folder`, 'Return')
    await press('Cardwire', 'Escape')
    const { status, json } = await made
    expect([status, json.code]).toEqual([403, '504001'])
    expect((await page.call('exist-type', fields)).json.data).toBe(false)
  })

  test('a user who does not allow it has made none', async () => {
    proves('file-type-chosen')
    const stranger = await createFilePage(connector, display, other)
    const refused = stranger.call('create-type', { entity: 'shop', type: 'letters' })
    await press(`${other}: choose a folder`, 'Escape')
    const { status, json } = await refused
    expect([status, json.code]).toEqual([403, '504001'])
    const list = await stranger.call('list-types', {})
    expect(list.json.data.types).toEqual([])
  })
})
