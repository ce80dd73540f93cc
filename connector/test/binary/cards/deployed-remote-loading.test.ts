/** Every generation of legacy client libraries that sends commands to a card: `remoteloading(reader)` of a page with the grant. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { cardPorts } from '../../../../test/bed/pcscd.ts'
import { proves } from '../../../../test/bed/proves.ts'
import type { Json } from '../../../../test/bed/service-request.ts'
import type { VirtualCard } from '../../../../test/bed/virtual-card.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { insertPivCard, makeKeys, type TracedCard } from '../../cards/emulated-card.ts'
import { deployedClient } from '../deployed/client.ts'
import { type Generation, testedGenerations } from '../deployed/generations.ts'
import { openPage } from '../deployed/page.ts'
import { pin } from './card-reader.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const aid = 'A00000030800001000'
const select = `00A4040009${aid}`
const discover = '00CB3FFF035C017E00'
const selectApdu = { cla: '00', ins: 'A4', p1: '04', p2: '00', data: aid }
const discoverApdu = { cla: '00', ins: 'CB', p1: '3F', p2: 'FF', data: '5C017E', le: '00' }
const verifyApdu = { cla: '00', ins: '20', p1: '00', p2: '80', data: '313233343536FFFF' }
/** VERIFY in both forms, CHANGE REFERENCE DATA, RESET RETRY COUNTER, MANAGE CHANNEL, and a command on a logical channel. */
const refused = [
  '0020008008313233343536FFFF',
  '00210000028300',
  '002400801031323334353637FF313233343536FFFF',
  '002C00801031323334353637FF313233343536FFFF',
  '0070000001',
  '01CB3FFF035C017E00',
]

let folder: string
let display: Display
let registryPort: number
let user: UserAtReader
let card: TracedCard & VirtualCard

const toOrigin = ({ version }: Generation) =>
  `https://v${version.replaceAll('.', '-')}.pages.example`

/** From the last reset before the first command on. */
const sinceReset = (trace: readonly string[]): readonly string[] =>
  trace.slice(Math.max(0, trace.findIndex((entry) => entry !== 'reset') - 1))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-deployed-raw-'))
  const file = join(folder, 'cards.json')
  const grants = testedGenerations.map((generation) => ({
    ...{ origin: toOrigin(generation), allow: ['raw'], aids: [aid] },
  }))
  await writeFile(file, JSON.stringify({ grants }), { mode: 0o600 })
  display = await startDisplay()
  registryPort = await findFreePort()
  user = await startUserAtReader({
    ...display.settings,
    CARDWIRE_CARDS: file,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWT: 'off',
    CARDWIRE_REGISTRY_PORT: String(registryPort),
  })
  const { bed } = user
  await bed.connector.waitForOutput(/registry found/)
  const { keys } = await makeKeys({ '9A': 'P-256' })
  card = await insertPivCard(cardPorts[0], { keys, pin, protocol: 'T=1' })
  await waitFor(async () => (await bed.find())?.card !== undefined)
})
afterAll(async () => {
  await card?.remove()
  await user?.stop()
  await display?.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  card.trace.length = 0
})

describe.each(testedGenerations)('client $version', (generation) => {
  let call: (path: string, body?: object) => Promise<Json>

  beforeAll(async () => {
    const page = openPage(toOrigin(generation), [user.bed.connector.ca])
    const client = deployedClient(page, generation, { registryPort })
    await client.initialize().catch(() => undefined)
    const word = client.codeWord()
    await display.copy(word)
    await client.getImplicitConsent(word)
    const [{ id }] = await client.get('/v3/readers?cardInserted=true')
    const base = `/v3/modules/remoteloading/apps/hsm/readers/${id}`
    call = (path, body = {}) => client.request('POST', `${base}/${path}`, { body })
  })

  test('has a session: each call with its id, the card reset before and after', async () => {
    proves('legacy-clients-raw')
    const sessionId = await call('open-session', { timeout: 30 })
    expect(sessionId).toEqual(expect.any(String))
    expect(await call('card-present', { sessionId })).toBe(true)
    expect(await call('atr', { sessionId })).toBe(card.atr)
    expect(await call('ccid-features', { sessionId })).toBe('')
    expect(await call('apdu', { apdu: selectApdu, sessionId })).toMatchObject({
      ...{ sw: '9000', tx: select },
    })
    const answer = { sw: '9000', tx: discover, rx: expect.stringMatching(/^7E/) }
    expect(await call('apdus', { apdus: [discoverApdu], sessionId })).toEqual([answer])
    expect(await call('command', { command: discover, sessionId })).toEqual(answer)
    expect(await call('commands', { commands: [discover], sessionId })).toEqual([answer])
    expect(await call('close-session', { sessionId })).toBe(sessionId)
    const sent = [select, discover, discover, discover]
    expect(sinceReset(card.trace)).toEqual(['reset', ...sent, 'reset'])
    await expect(call('command', { command: discover, sessionId })).rejects.toMatchObject({
      code: '102002',
    })
  })

  test('sends commands without a session, the card reset before and after each call', async () => {
    proves('legacy-clients-raw')
    const sent = await call('commands', { commands: [select, discover] })
    expect(sent.map(({ sw }: { sw: string }) => sw)).toEqual(['9000', '9000'])
    expect(await call('apdus', { apdus: [selectApdu, discoverApdu] })).toHaveLength(2)
    expect(await call('command', { command: select })).toMatchObject({ sw: '9000' })
    expect(await call('apdu', { apdu: selectApdu })).toMatchObject({ sw: '9000' })
    const twice = [select, discover, 'reset', 'reset']
    expect(sinceReset(card.trace)).toEqual([
      'reset',
      ...twice,
      ...twice,
      ...[select, 'reset', 'reset', select, 'reset'],
    ])
  })

  test('is refused commands with a PIN, logical channels and the pad of the reader, in words; the card sees none', async () => {
    proves('legacy-clients-raw', 'raw-commands-misused')
    const sessionId = await call('open-session')
    await call('command', { command: select, sessionId })
    const before = card.trace.length
    const inWords = { code: '102001', message: expect.stringMatching(/^Cannot send the command: /) }
    for (const command of refused) {
      await expect(call('command', { command, sessionId })).rejects.toMatchObject(inWords)
    }
    const apdu = verifyApdu
    await expect(call('apdu', { apdu, sessionId })).rejects.toMatchObject(inWords)
    await expect(call('apdus', { apdus: [discoverApdu, apdu], sessionId })).rejects.toMatchObject(
      inWords,
    )
    const pad = call('ccid', { feature: 'VERIFY_PIN_DIRECT', command: '00', sessionId })
    await expect(pad).rejects.toMatchObject({ code: '702003' })
    expect(card.trace.slice(before)).toEqual([])
    await call('close-session', { sessionId })
  })
})
