/** Grants of an administrator, from the configuration of a distribution service to a connector that runs, and back. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../../test/bed/distribution-service.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { runtimes } from '../../../../test/bed/service-runtimes.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { version } from '../managed.ts'
import { findCardProcesses } from './card-processes.ts'
import { type CardReader, pin } from './card-reader.ts'
import { type GrantedPage, openPage } from './granted-page.ts'
import type { ScriptedPinentry } from './scripted-pinentry.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const origin = 'https://shop.example'
const data = createHash('sha256').update('a message').digest('base64')

let folder: string
let display: Display
let service: DistributionService
let pinentry: ScriptedPinentry
let user: UserAtReader
let bed: CardReader
let page: GrantedPage

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-managed-grants-'))
  const file = join(folder, 'cards.json')
  const grants = [{ origin, allow: ['raw-authenticate'] }]
  await writeFile(file, JSON.stringify({ grants }), { mode: 0o600 })
  service = await startDistributionService(runtimes.Node)
  const { installationApiKey } = await service.registerVersion(version)
  await service.allow(version, [origin])
  display = await startDisplay()
  user = await startUserAtReader({
    ...display.settings,
    CARDWIRE_DS_URL: service.url,
    CARDWIRE_INSTALLATION_KEY: installationApiKey,
    CARDWIRE_JWT: 'off',
    CARDWIRE_CARDS: file,
  })
  ;({ bed, pinentry } = user)
  await synchronize()
  page = await openPage(bed, display, origin)
})
beforeEach(() => pinentry.type(pin))
afterAll(async () => {
  await user?.stop()
  await service?.stop()
  await display?.stop()
  await rm(folder, { recursive: true, force: true })
})

const synchronize = async () => {
  const { json } = await bed.connector.request('/v3/sync', { method: 'POST' })
  expect(json.data).toMatchObject({ standing: 'good' })
}
const configure = async (cards: object | undefined) => {
  const { items } = await service.admin('GET', '/v3/configurations')
  await service.admin('PUT', '/v3/configurations?maxReach=999999999', {
    ...{ id: items[0].id, type: 'CONTEXT_CONFIG', versionId: version },
    config: { cors: [origin], ...(cards && { cards }) },
  })
  await synchronize()
}
const isVerify = (entry: string) => entry.startsWith('00200080') && entry.endsWith('bytes)')
const authenticate = () => page.call('authenticate', { algorithm: 'sha256', data })

test('a grant of the service holds from the next synchronization on and ends with one, while a file on the machine gives none', async () => {
  proves('grants-take-effect', 'user-grants-itself')
  await bed.insert()
  const refused = await authenticate()
  expect(refused).toMatchObject({ status: 403, json: { code: '104007' } })
  expect(refused.json.description).toContain('"cards" of the CONTEXT_CONFIG')
  expect(bed.connector.output()).toContain('CARDWIRE_CARDS is not read')
  await configure({ grants: [{ origin, allow: ['raw-authenticate'] }] })
  expect((await authenticate()).status).toBe(200)
  await configure({ grants: [{ origin: 'https://other.example', allow: ['raw-authenticate'] }] })
  expect((await authenticate()).status).toBe(403)
  await configure({ grants: [{ origin, allow: ['raw-authenticate'] }] })
  expect((await authenticate()).status).toBe(200)
  await configure(undefined)
  expect((await authenticate()).status).toBe(403)
})

test('a device that is blocked gives pages nothing from its next synchronization on, until it is unblocked', async () => {
  proves('block-ends-access', 'device-stolen')
  await bed.insert()
  await configure({ grants: [{ origin, allow: ['raw-authenticate'] }] })
  expect((await authenticate()).status).toBe(200)
  const { json } = await bed.connector.request('/v3/sync', { method: 'GET' })
  const change = (name: string) => service.admin('POST', `/v3/devices/${json.data.device}/${name}`)
  await change('block')
  const refused = await bed.connector.request('/v3/sync', { method: 'POST' })
  expect(refused.json.data).toMatchObject({ standing: 'refused', code: 'device-blocked' })
  expect(await authenticate()).toMatchObject({ status: 403, json: { code: '105002' } })
  await change('unblock')
  await synchronize()
  expect((await authenticate()).status).toBe(200)
})

test('a grant that ends while the dialog is open gives no signature, and sends no PIN', async () => {
  const card = await bed.insert()
  await configure({ grants: [{ origin, allow: ['raw-authenticate'] }] })
  await pinentry.type('wait')
  await pinentry.read()
  const answer = authenticate()
  let shown = ''
  await waitFor(async () => {
    shown += await pinentry.read()
    return shown.includes('GETPIN')
  })
  await configure(undefined)
  await pinentry.type(pin)
  expect(await answer).toMatchObject({ status: 403, json: { code: '104007' } })
  expect(card.trace.filter(isVerify)).toEqual([])
})

test('a PIN that is kept for several signatures is forgotten when the grant ends', async () => {
  await bed.insert()
  await configure({ grants: [{ origin, allow: ['bulk'] }] })
  expect((await page.call('sign?bulk=true', { algorithm: 'sha256', data })).status).toBe(200)
  const [kept] = findCardProcesses(bed.connector.child.pid)
  expect(kept).toBeDefined()
  await configure(undefined)
  await waitFor(() => !findCardProcesses(bed.connector.child.pid).includes(kept ?? ''))
  await pinentry.type('cancel')
  expect((await page.call('sign?bulk=true', { algorithm: 'sha256', data })).status).toBe(409)
})

describe('a session in which a page sends commands', () => {
  const aid = 'A00000030800001000'
  const command = `00A4040009${aid}`
  const commands = (aids: readonly string[]) => ({ grants: [{ origin, allow: ['raw'], aids }] })
  const open = async () => {
    const card = await bed.insert()
    const { status, json } = await page.raw('open-session', { timeout: 180 })
    expect([status, json.description]).toEqual([200, undefined])
    const sessionId: string = json.data
    expect((await page.raw('command', { sessionId, command })).json.data.sw).toBe('9000')
    return { card, sessionId }
  }

  test('ends with the grant: the card is reset, and the next call is a problem that says what to enter', async () => {
    proves('raw-session-ends', 'raw-grant-withdrawn')
    await configure(commands([aid]))
    const { card, sessionId } = await open()
    const held = page.raw('hold-session', { sessionId })
    await configure(undefined)
    await waitFor(() => card.trace.at(-1) === 'reset')
    expect((await held).json.data).toBe('grant')
    const before = card.trace.length
    for (const path of ['command', 'close-session']) {
      const refused = await page.raw(path, { sessionId, command })
      expect(refused).toMatchObject({ status: 403, json: { code: '104007' } })
      expect(refused.json.description).toContain('"cards" of the CONTEXT_CONFIG')
    }
    expect(card.trace.slice(before)).toEqual([])
    await configure(commands([aid]))
    // That it has the grant again does not bring the session back.
    const late = await page.raw('command', { sessionId, command })
    expect(late).toMatchObject({ status: 409, json: { code: '102002' } })
  })

  test('ends when the application that it has selected is no longer granted, and goes on when another one is not', async () => {
    proves('raw-grant-withdrawn')
    const others = ['A0000000031010', 'A0000000041010']
    await configure(commands([aid, ...others]))
    const { card, sessionId } = await open()
    await configure(commands([aid]))
    expect((await page.raw('command', { sessionId, command })).status).toBe(200)
    await configure(commands(others))
    await waitFor(() => card.trace.at(-1) === 'reset')
    const late = await page.raw('command', { sessionId, command })
    expect(late).toMatchObject({ status: 409, json: { code: '102002' } })
  })
})
