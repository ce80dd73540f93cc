/** The scripted card service as winscard.dll, seen by a program that Bun compiled for Windows. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildScriptedCardService } from '../scripted-card-service/build.ts'
import {
  type ScriptedCardService,
  startScriptedCardService,
} from '../scripted-card-service/service.ts'
import { buildProgram } from './build-program.ts'
import { openWine, type Wine, windowsPath } from './wine.ts'

const client = fileURLToPath(new URL('../scripted-card-service/client.ts', import.meta.url))

let folder = ''
let library = ''
let program = ''
let wine: Wine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-wine-'))
  wine = await openWine(join(folder, 'prefix'))
  library = await buildScriptedCardService('windows', folder)
  program = join(folder, 'client.exe')
  await buildProgram(client, program)
})
afterAll(async () => {
  await wine.stop()
  await rm(folder, { recursive: true })
})

let service: ScriptedCardService
beforeEach(async () => {
  service = await startScriptedCardService()
})
afterEach(() => service.stop())

async function runClient(): Promise<unknown> {
  const child = wine.start(program, [windowsPath(library)], service.env)
  if (!child.stdout) throw new Error('Expected a pipe')
  return JSON.parse(await text(child.stdout))
}

test('a program for Windows sees names in UTF-16, ATRs and features', async () => {
  service.plug(
    { name: 'Scripted Reader 0', atr: '3B951381018073FF01000B' },
    { name: '智能卡 Zoë 🂡', features: [0x06] },
    { name: '長'.repeat(127), atr: 'AB'.repeat(33) },
  )

  expect(await runClient()).toEqual({
    readers: [
      expect.objectContaining({ name: 'Scripted Reader 0', atr: '3B951381018073FF01000B' }),
      expect.objectContaining({ name: '智能卡 Zoë 🂡', atr: '', features: '060442330006' }),
      expect.objectContaining({ name: '長'.repeat(127), atr: 'AB'.repeat(33) }),
    ],
  })
})

test('a program for Windows gets the codes a test wants', async () => {
  service.script('list-readers', { code: 0x8010002e })

  expect(await runClient()).toEqual({ failed: 'SCardListReaders 8010002e' })
})

test('a program for Windows finds no service while it is stopped', async () => {
  await service.stop()
  const without = await runClient()
  await service.start()

  expect(without).toEqual({ failed: 'SCardEstablishContext 8010001d' })
})
