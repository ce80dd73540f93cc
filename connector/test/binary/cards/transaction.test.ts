/** `card.transaction` of our library in a page, against the compiled connector with a real card service. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { CardwireClient } from '@cardwire/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { findFreePort } from '../../../../test/bed/free-port.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { createTokenSigner } from '../../../../test/bed/token-signer.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { connectLibrary, failureOf } from './library-page.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const origin = 'https://bank.pages.example'
const aid = 'A00000030800001000'
const getDiscovery = Uint8Array.of(0x00, 0xcb, 0x3f, 0xff, 0x03, 0x5c, 0x01, 0x7e, 0x00)

let display: Display
let user: UserAtReader
let client: CardwireClient

beforeAll(async () => {
  display = await startDisplay()
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-grants-'))
  const path = join(folder, 'cards.json')
  const signer = await createTokenSigner(folder)
  const registryPort = String(await findFreePort())
  const grants = [{ origin, allow: ['raw'], aids: [aid] }]
  await writeFile(path, JSON.stringify({ grants }), { mode: 0o600 })
  user = await startUserAtReader({
    ...display.settings,
    CARDWIRE_CORS: 'https://*.pages.example',
    CARDWIRE_JWKS: signer.jwks,
    CARDWIRE_REGISTRY_PORT: registryPort,
    CARDWIRE_CARDS: path,
  })
  const { connector } = user.bed
  await connector.waitForOutput(/registry found/)
  const configuration = { t1cApiPort: registryPort, jwt: signer.token() }
  client = await connectLibrary({ ca: connector.ca, origin }, display, configuration)
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await user?.stop()
  await display?.stop()
})

const findCard = async () => {
  const [reader] = await client.readersCardAvailable()
  if (!reader) throw new Error('Expected a reader with a card')
  return client.card(reader)
}

test('a page selects its application, sends commands, and leaves a card that is reset', async () => {
  proves('raw-transaction')
  const inserted = await user.bed.insert()
  const card = await findCard()
  const answer = await card.transaction(aid, ({ transmit }) => transmit(getDiscovery))
  expect(answer.length).toBeGreaterThanOrEqual(2)
  const at = inserted.trace.indexOf(`00A4040009${aid}`)
  expect(inserted.trace[at - 1]).toBe('reset')
  expect(inserted.trace.slice(at + 1)).toEqual(['00CB3FFF035C017E00', 'reset'])
  // It is free at once.
  expect(await card.transaction(aid, async () => 'again')).toBe('again')
})

test('a page that takes its time keeps the card: it waits for the end of its session', async () => {
  proves('raw-session-ends')
  await user.bed.insert()
  const card = await findCard()
  const answer = await card.transaction(aid, async ({ transmit }) => {
    // Longer than a session that no page waits for.
    await pause(11_000)
    return transmit(getDiscovery)
  })
  expect(answer.length).toBeGreaterThanOrEqual(2)
})

test('a page that throws, and one that aborts, leave a card that is reset', async () => {
  proves('raw-transaction')
  const inserted = await user.bed.insert()
  const card = await findCard()
  const thrown = card.transaction(aid, () => Promise.reject(new Error('of the page')))
  await expect(thrown).rejects.toThrow('of the page')
  expect(inserted.trace.at(-1)).toBe('reset')
  const controller = new AbortController()
  const aborted = card.transaction(
    aid,
    async ({ transmit }) => {
      await transmit(getDiscovery)
      controller.abort()
      return transmit(getDiscovery)
    },
    { signal: controller.signal },
  )
  expect((await failureOf(aborted)).reason).toBe('aborted')
  await waitFor(() => inserted.trace.at(-1) === 'reset')
})

test('a PIN is not sent, and an application that is not granted is not selected', async () => {
  const inserted = await user.bed.insert()
  const card = await findCard()
  const verify = Uint8Array.from(Buffer.from('0020008008313233343536FFFF', 'hex'))
  const refused = await failureOf(card.transaction(aid, ({ transmit }) => transmit(verify)))
  expect([refused.problem, refused.wireCode]).toEqual(['command-refused', '102001'])
  const other = await failureOf(card.transaction('A0000000031010', async () => 'never'))
  expect(other.problem).toBe('grant-missing')
  expect(inserted.trace.filter((entry) => entry.startsWith('0020'))).toEqual([])
})
