/** A PIN outside of the card: in the memory, arguments, environments, logs and answers of the connector and its processes. */
import { constants, publicEncrypt } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { homePaths } from '../../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { findCardProcesses } from './card-processes.ts'
import { type CardReader, startCardReader } from './card-reader.ts'
import { type GrantedPage, openPage } from './granted-page.ts'
import { countInMemory } from './process-memory.ts'
import { createPinentry, type ScriptedPinentry } from './scripted-pinentry.ts'

const pin = '83947261'
const wrongPin = '73058164'
const origin = 'https://granted.pages.example'

let folder: string
let display: Display
let bed: CardReader
let pinentry: ScriptedPinentry
let page: GrantedPage

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-memory-'))
  const file = join(folder, 'cards.json')
  const grants = [{ origin, allow: ['page-pin'] }]
  await writeFile(file, JSON.stringify({ grants }), { mode: 0o600 })
  display = await startDisplay()
  pinentry = await createPinentry()
  bed = await startCardReader({
    ...display.settings,
    PATH: pinentry.path,
    CARDWIRE_CARDS: file,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
    CARDWIRE_LOG_LEVEL: 'debug',
  })
  await pinentry.type(pin)
  page = await openPage(bed, display, origin)
})
afterAll(async () => {
  await bed?.stop()
  await pinentry?.remove()
  await display?.stop()
  await rm(folder, { recursive: true, force: true })
})

const readerName = 'Virtual PCD 00 00'

test.runIf(process.platform === 'linux')(
  'a PIN that a user entered is nowhere in the memory of the connector, nor of the process that has sent it to the card',
  async () => {
    proves('pin-hidden', 'pin-in-card-process', 'pin-found')
    await bed.insert({ pin })
    const headers = { 'content-type': 'application/json' }
    const { status } = await bed.token('verify-pin', 'piv', { method: 'POST', body: '{}', headers })
    expect(status).toBe(200)
    const [id = '', ...others] = findCardProcesses(bed.connector.child.pid)
    expect(others).toEqual([])
    const [pins, names] = countInMemory(id, [pin, readerName])
    expect(pins).toBe(0)
    expect(countInMemory(String(bed.connector.child.pid), [pin])).toEqual([0])
    // What was sent along with it is found.
    expect(names).toBeGreaterThan(0)
  },
)

test.runIf(process.platform === 'linux')(
  'a PIN that a page encrypted, right or wrong, is in no memory, argument, environment, log or answer',
  async () => {
    proves('pin-found')
    await bed.insert({ pin: '11223344' })
    const publicKey: string = (await bed.connector.request('/device-key')).json.data
    const encrypt = (text: string) =>
      publicEncrypt(
        { key: publicKey, padding: constants.RSA_PKCS1_PADDING },
        Buffer.from(text),
      ).toString('base64')
    const wrong = await page.call('verify-pin', { pin: encrypt(wrongPin), base64Encoded: true })
    expect([wrong.status, wrong.json.code]).toEqual([422, '108003'])
    const right = await page.call('verify-pin', { pin: encrypt('11223344') })
    expect(right.json.data).toEqual({ verified: true })
    const { pid } = bed.connector.child
    const processes = [String(pid), ...findCardProcesses(pid)]
    expect(processes).toHaveLength(2)
    const { logs } = homePaths(bed.connector.home)
    const lines = await Promise.all(
      (await readdir(logs)).map((name) => readFile(join(logs, name), 'utf8')),
    )
    const answers = JSON.stringify([wrong.json, right.json])
    for (const id of processes) {
      expect(countInMemory(id, [wrongPin, '11223344'])).toEqual([0, 0])
      for (const name of ['cmdline', 'environ'])
        lines.push(await readFile(`/proc/${id}/${name}`, 'utf8'))
    }
    for (const text of [...lines, answers, bed.connector.output()]) {
      expect(text).not.toContain(wrongPin)
      expect(text).not.toContain('11223344')
    }
  },
)
