/** A signature by the connector for Windows, under Wine: a card behind winscard.dll, and a user who types the PIN into credui.dll. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { proves } from '../../../test/bed/proves.ts'
import { createPivCard } from '../../src/sandbox/virtual-card/piv-card.ts'
import { type CardFiles, makeKeys, type TracedCard, traceCard } from '../cards/emulated-card.ts'
import { readWindow } from '../desktop/read-window.ts'
import { type Session, startX11 } from '../desktop/session.ts'
import {
  type ScriptedCardService,
  startScriptedCardService,
} from '../scripted-card-service/service.ts'
import { buildWindowsConnector, type RunningConnector } from './windows-connector.ts'
import { openWine, type Wine } from './wine.ts'

const run = promisify(execFile)
const pin = '90817263'
const message = Buffer.from('a message that is signed')

let folder = ''
let session: Session
let wine: Wine
let service: ScriptedCardService
let files: CardFiles
let card: TracedCard
let running: RunningConnector
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-windows-card-'))
  session = await startX11()
  wine = await openWine(join(folder, 'prefix'))
  service = await startScriptedCardService()
  files = await makeKeys({ '9C': 'RSA-2048' })
  card = traceCard(createPivCard({ keys: files.keys, pin, protocol: 'T=1' }))
  service.plug({
    name: 'Scripted Reader 0',
    atr: card.atr,
    apdu: (command) => Buffer.from(card.respond(Buffer.from(command, 'hex'))).toString('hex'),
    reset: card.reset,
  })
  const connector = await buildWindowsConnector(wine, join(folder, 'program'), {
    ...service.env,
    DISPLAY: session.environment['DISPLAY'] ?? '',
    CARDWIRE_API_PORTS: '26200-26999',
    CARDWIRE_REGISTRY_PORT: String(await findFreePort()),
  })
  running = await connector.run()
})
afterAll(async () => {
  await running?.stop()
  await wine?.stop()
  await service?.stop()
  await session?.stop()
  await rm(folder, { recursive: true })
})

/** Types the PIN into the window, when it is there. */
async function typePin(): Promise<void> {
  await session.windows.focus('^Cardwire$')
  await session.windows.type(pin)
  await readWindow()
  await session.windows.pressHere('Return')
}

/** Whether openssl takes it for a signature of the message by the key 9C. */
async function isValid(signature: string): Promise<boolean> {
  const file = (name: string) => join(folder, name)
  await writeFile(file('message'), message)
  await writeFile(file('signature'), Buffer.from(signature, 'base64'))
  const certificate = ['x509', '-in', files.certificateFile('9C'), '-noout', '-pubkey']
  await writeFile(file('key.pem'), (await run('openssl', certificate)).stdout)
  const check = ['-verify', file('key.pem'), '-signature', file('signature'), file('message')]
  const { stdout } = await run('openssl', ['dgst', '-sha256', ...check]).catch((error) => error)
  return stdout === 'Verified OK\n'
}

test('a card signs after the PIN that a user types, directly before, and is reset', async () => {
  proves('windows-pin-window')
  const listed = (await running.get('/v3/readers')) as { data: { id: string; card?: object }[] }
  expect(listed.data).toMatchObject([{ card: { module: 'piv' } }])
  const path = `/v3/modules/piv/apps/token/readers/${listed.data[0]?.id}/sign`
  const data = createHash('sha256').update(message).digest('base64')
  const signing = running.post(path, { algorithm: 'sha256', data, id: '9C' })
  await typePin()
  const { data: answer } = (await signing) as { data: { data: string } }
  expect(await isValid(answer.data)).toBe(true)
  const verify = card.trace.indexOf('0020008008 (8 bytes)')
  expect(card.trace[verify + 1]).toMatch(/^1087079C/)
  expect(card.trace.at(-1)).toBe('reset')
  expect(running.output()).not.toContain(pin)
})
