/** Types of files that persons make in real windows, through the compiled connector: they choose a folder by keys, and take it back. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Connector, createHome, startConnector } from '../../../.ci/test-bed/connector.ts'
import { type Display, startDisplay } from '../../../.ci/test-bed/display.ts'
import { runProgram } from '../../../.ci/test-bed/program.ts'
import { waitFor } from '../../../.ci/test-bed/wait-for.ts'
import { linkPrograms } from '../desktop/path.ts'
import { createFilePage, type FilePage } from './file-page.ts'

const [shop, other] = ['https://shop.example', 'https://other.example']
const invoices = { entity: 'shop', type: 'invoices' }

let display: Display
beforeAll(async () => {
  display = await startDisplay()
})
afterAll(() => display?.stop())

async function xdotool(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...display.settings }
  return (await runProgram(['xdotool', ...args], { env })).out.trim()
}

/** The window whose title begins so. */
const findWindow = async (title: string) =>
  (await xdotool('search', '--onlyvisible', '--name', `^${title}`)).split('\n').at(-1) ?? ''

/** The window has the keys, as soon as it is there. */
async function focus(title: string): Promise<void> {
  await waitFor(async () => (await findWindow(title)) !== '')
  await xdotool('windowfocus', '--sync', await findWindow(title))
}

async function press(title: string, ...keys: readonly string[]): Promise<void> {
  await focus(title)
  await xdotool('key', ...keys)
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
  }, 600_000)
  afterAll(() => connector?.stop())

  test('a person who chooses a folder and allows it has made a type, for this origin alone', async () => {
    const made = page.call('create-type', { ...invoices, initPath: ['invoices'] })
    await press(`${shop}: folder whose files`, 'Return')
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

  test('a person who does not allow it has made none', async () => {
    const refused = page.call('create-type', { entity: 'shop', type: 'letters' })
    await press(`${shop}: folder whose files`, 'Escape')
    const { status, json } = await refused
    expect([status, json.code]).toEqual([403, '504001'])
    const list = await page.call('list-types', {})
    expect(list.json.data.types.map(({ type }: { type: string }) => type)).toEqual(['invoices'])
  })
})
