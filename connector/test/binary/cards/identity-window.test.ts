/** The question for identity data in real windows, through the compiled connector: a user presses keys in them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { createWindows } from '../../../../test/bed/windows.ts'
import { type BeidFiles, insertBeidCard, makeBeidFiles } from '../../cards/beid-files.ts'
import { address } from '../../cards/beid-person.ts'
import { linkPrograms } from '../../desktop/path.ts'
import { readWindow } from '../../desktop/read-window.ts'
import { type CardReader, startCardReader } from './card-reader.ts'
import { openPage } from './granted-page.ts'

const origins = ['https://shop.example', 'https://other.example'] as const

let files: BeidFiles
let display: Display
beforeAll(async () => {
  files = await makeBeidFiles('1.8')
  display = await startDisplay()
})
afterAll(() => display?.stop())

const windows = () => createWindows({ ...process.env, ...display.settings })

/** Presses keys in the window, as soon as it is there. */
async function press(...keys: readonly string[]): Promise<void> {
  await windows().focus('^Cardwire')
  await readWindow()
  await windows().pressHere(...keys)
}

describe.each([
  ['pinentry-gtk-2', ['Tab', 'Return']],
  ['zenity', ['Tab', 'Return']],
  ['kdialog', ['Return']],
] as const)('by %s', (tool, keysToAgree) => {
  let bed: CardReader
  beforeAll(async () => {
    bed = await startCardReader({
      ...display.settings,
      NO_AT_BRIDGE: '1',
      PATH: linkPrograms(tool, 'xclip', 'setpriv'),
      CARDWIRE_CORS: origins.join(','),
      CARDWIRE_JWT: 'off',
    })
  })
  afterAll(() => bed?.stop())
  const insert = () =>
    bed.insertAnother((port) => insertBeidCard(port, files, { pin: '1234', protocol: 'T=1' }))

  test('a user who agrees shares the data with the page that asked', async () => {
    proves('identity-dialog')
    const page = await openPage(bed, display, origins[0])
    await insert()
    const agreed = page.read('address', 'beid')
    await press(...keysToAgree)
    expect((await agreed).json.data).toMatchObject(address)
    await windows().gone('^Cardwire')
  })

  test('a user who closes the window shares nothing', async () => {
    const page = await openPage(bed, display, origins[1])
    await insert()
    const refused = page.read('address', 'beid')
    await press('Escape')
    expect((await refused).json.code).toBe('604001')
  })
})
