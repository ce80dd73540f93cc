/** Data for printers through the compiled connector, as legacy clients send it, to a real CUPS that prints into files. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Connector, startConnector } from '../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { type PrintService, startPrintService } from '../../../test/bed/print-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { type DeployedClient, deployedClient } from './deployed/client.ts'
import { newest, testedGenerations } from './deployed/generations.ts'
import { openPage } from './deployed/page.ts'

const place = '/v3/modules/rawprint/apps/print'
const printers = ['closed', 'invoices', 'labels']
const toOrigin = (version: string) => `https://v${version.replaceAll('.', '-')}.pages.example`
const stranger = 'https://stranger.pages.example'

let folder: string
let display: Display
let service: PrintService
let registryPort: number
let connector: Connector
let page: DeployedClient
/** Of all tests. */
let jobs = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-print-'))
  const cards = join(folder, 'cards.json')
  const grants = testedGenerations.map(({ version }) => ({
    origin: toOrigin(version),
    allow: ['print'],
  }))
  await writeFile(cards, JSON.stringify({ grants }), { mode: 0o600 })
  display = await startDisplay()
  service = await startPrintService(printers)
  registryPort = await findFreePort()
  connector = await startConnector({
    ...display.settings,
    ...service.settings,
    CARDWIRE_CARDS: cards,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
    CARDWIRE_REGISTRY_PORT: String(registryPort),
  })
  await connector.waitForOutput(/registry found/)
  page = await open(toOrigin(newest.version))
})
afterAll(async () => {
  await connector?.stop()
  await service?.stop()
  await display?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A page whose user has consented. */
async function open(origin: string, generation = newest): Promise<DeployedClient> {
  const client = deployedClient(openPage(origin, [connector.ca]), generation, { registryPort })
  await client.initialize().catch(() => undefined)
  const word = client.codeWord()
  await display.copy(word)
  await client.getImplicitConsent(word)
  return client
}

const list = async (by = page): Promise<Json> => by.get(`${place}/printer-list`)
const print = async (body: object, by = page): Promise<Json> =>
  by.request('POST', `${place}/print`, { body })
const base64 = (data: Uint8Array | string) => Buffer.from(data).toString('base64')
const readUses = async (): Promise<number> => {
  const { json } = await connector.request('/ds/transactions')
  const used = json.data.filter(({ module }: { module: string }) => module === 'rawprint')
  return used.reduce((sum: number, { counter }: { counter: number }) => sum + counter, 0)
}

/** The job that was printed last. */
async function readLast() {
  jobs += 1
  const all = await service.printed(jobs)
  expect(all).toHaveLength(jobs)
  return all[jobs - 1]
}

describe.each(testedGenerations.filter(({ version }) => version !== newest.version))(
  'client $version',
  (generation) => {
    test('lists the printers, and prints', async () => {
      proves('printing')
      const client = await open(toOrigin(generation.version), generation)
      expect((await list(client)).printers.toSorted()).toEqual(printers)
      const data = `of ${generation.version}`
      const body = { name: 'labels', job: 'a label', data: base64(data) }
      expect(await print(body, client)).toEqual({ printed: true })
      const printed = await readLast()
      expect(Buffer.from(printed?.data ?? []).toString()).toBe(data)
    })
  },
)

describe('the newest client', () => {
  test('prints every byte as it is, in a job of the user, and that is one use', async () => {
    proves('printing', 'printer-changed')
    const before = await readUses()
    const data = Buffer.concat([
      Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
      Buffer.from('%!PS\n\x1b%-12345X@PJL\r\n^XA^FO20,20^FDZoë^FS^XZ\0'),
      randomBytes(700_000),
    ])
    const body = { name: 'invoices', job: 'Rechnung Nº 7 für Zoë', data: base64(data) }
    expect(await print(body)).toEqual({ printed: true })
    const printed = await readLast()
    expect(printed).toMatchObject({ printer: 'invoices', title: 'Rechnung Nº 7 für Zoë' })
    expect(Buffer.compare(data, printed?.data ?? Buffer.of())).toBe(0)
    expect(await readUses()).toBe(before + 1)
  })

  test.each([
    ['an option', '-o sides=two-sided', '-o sides=two-sided'],
    ['two hyphens', '--', '--'],
    ['a command', '; touch /tmp/x; $(id) `id`', '; touch /tmp/x; $(id) `id`'],
    ['control characters', 'two\nlines\u001b[2J', 'two\\u000alines\\u001b[2J'],
    ['more than 255 bytes', 'é'.repeat(200), 'é'.repeat(127)],
  ])('gives a job its title, one line and no option: %s', async (_, job, title) => {
    proves('print-arguments')
    await print({ name: 'labels', job, data: base64('^XA^XZ') })
    expect(await readLast()).toMatchObject({ title, printer: 'labels' })
  })

  test.each(['nothing', '-dlabels', 'labels/instance', 'LABELS', '../labels', 'labels\n'])(
    'is told that there is no printer %j, in the field that names it',
    async (name) => {
      proves('printing-unavailable', 'print-arguments')
      const { status, json } = await ask(toOrigin(newest.version), 'print', {
        ...{ name, job: 'a job', data: base64('x') },
      })
      expect([status, json.code]).toEqual([422, '106006'])
      expect(json.errors).toEqual([
        { path: 'name', message: 'expected one of "closed", "invoices", "labels"' },
      ])
    },
  )

  test('is told that a printer takes no job, and that is no use', async () => {
    proves('printing')
    const before = await readUses()
    const body = { name: 'closed', job: 'a job', data: base64('x') }
    await expect(print(body)).rejects.toMatchObject({
      code: '113002',
      message: expect.stringContaining('Cannot print on "closed"'),
    })
    expect(await readUses()).toBe(before)
  })

  test.each([
    ['no data', ''],
    ['data that is no base64', 'not base64!'],
    ['base64 that is cut', 'abcde'],
    ['more data than a job may have', base64(Buffer.alloc(780_001))],
  ])('is refused %s, which names the field', async (_, data) => {
    const body = { name: 'labels', job: 'a job', data }
    const { status, json } = await ask(toOrigin(newest.version), 'print', body)
    expect([status, json.code, json.errors[0].path]).toEqual([422, '106004', 'data'])
  })
})

test('a page without the grant reads no list and prints nothing, and is told what the administrator enters', async () => {
  proves('printers-listed')
  const client = await open(stranger)
  const refusal = {
    code: '104007',
    message: expect.stringContaining(`{"grants":[{"origin":"${stranger}","allow":["print"]}]}`),
  }
  await expect(list(client)).rejects.toMatchObject(refusal)
  const body = { name: 'labels', job: 'a job', data: base64('x') }
  await expect(print(body, client)).rejects.toMatchObject(refusal)
  expect(await service.printed(jobs)).toHaveLength(jobs)
})

test('a page without consent and a program print nothing', async () => {
  proves('printers-listed')
  const body = { name: 'labels', job: 'a job', data: base64('x') }
  const unknown = await ask('https://unknown.pages.example', 'print', body)
  expect([unknown.status, unknown.json.code]).toEqual([403, '814501'])
  const program = await connector.request(`${place}/printer-list`)
  expect([program.status, program.json.code]).toEqual([403, '104003'])
})

test('where CUPS has ended a page is told so', async () => {
  proves('printing-unavailable')
  await service.stop()
  const refusal = { code: '112504', message: 'Cannot print: CUPS, which prints here, does not run' }
  await expect(list()).rejects.toMatchObject(refusal)
  const body = { name: 'labels', job: 'a job', data: base64('x') }
  await expect(print(body)).rejects.toMatchObject(refusal)
})

/** What a page of this origin is answered, with the fields that are wrong. */
function ask(origin: string, operation: string, body: object) {
  return connector.request(`${place}/${operation}`, {
    ...{ token: null, method: 'POST', body: JSON.stringify(body) },
    headers: {
      ...{ origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
      'content-type': 'application/json;charset=UTF-8',
    },
  })
}
