/** A card that a PIN was sent to is reset, while another program is connected to it, and when the process that asked it is killed. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { cardPorts, readerNames } from '../../../../test/bed/pcscd.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { insertCard } from '../../../../test/bed/virtual-card.ts'
import { waitFor } from '../../../../test/bed/wait-for.ts'
import { createPivCard } from '../../../src/sandbox/virtual-card/piv-card.ts'
import { traceCard } from '../../cards/emulated-card.ts'
import { type CardReader, pin } from './card-reader.ts'
import { holdConnection } from './hold-connection.ts'
import type { ScriptedPinentry } from './scripted-pinentry.ts'
import { startUserAtReader, type UserAtReader } from './user-at-reader.ts'

const run = promisify(execFile)
const [port] = cardPorts
const [readerName] = readerNames

let user: UserAtReader
let bed: CardReader
let pinentry: ScriptedPinentry

beforeAll(async () => {
  user = await startUserAtReader()
  ;({ bed, pinentry } = user)
  await pinentry.type(pin)
})
afterAll(() => user?.stop())

const sign = () => {
  const data = createHash('sha256').update('a message').digest('base64')
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ algorithm: 'sha256', data, id: '9A' })
  return bed.token('sign', 'piv', { method: 'POST', body, headers })
}

/** Inserts a card until the end of the test; `onCommand` is called before each answer. */
async function insert(onCommand: (instruction: number | undefined) => void) {
  const card = traceCard(createPivCard({ keys: bed.files.keys, pin, protocol: 'T=1' }))
  const respond = (apdu: Uint8Array) => {
    onCommand(apdu[1])
    return card.respond(apdu)
  }
  const inserted = await insertCard(port, { ...card, respond })
  const hasCard = async () => (await bed.find())?.card !== undefined
  onTestFinished(async () => {
    await inserted.remove()
    await waitFor(async () => !(await hasCard()))
  })
  await waitFor(hasCard)
  return card
}

/** Whether another program signs with key 9A of the card, without or with its PIN. */
async function canOtherSign(...args: string[]): Promise<boolean> {
  const signature = ['-a', 'test-signature', '-s', '9a', '-i', bed.files.certificateFile('9A')]
  const { stdout, stderr } = await run('yubico-piv-tool', [
    '-r',
    readerName,
    ...args,
    ...signature,
  ]).catch((error) => error)
  return `${stdout}${stderr}`.includes('Successful ECDSA verification')
}

/** The card processes of the connector. */
const findCardProcesses = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
        const [, parent] =
          /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? []
        return Number(parent) === bed.connector.child.pid && args[1] === 'card'
          ? [Number(name)]
          : []
      } catch {
        // It has ended.
        return []
      }
    })

test('after a signature no program signs without the PIN, though another one has been connected all the time', async () => {
  proves('pin-reused')
  await insert(() => undefined)
  await holdConnection(readerName)
  expect((await sign()).status).toBe(200)
  expect(await canOtherSign()).toBe(false)
  // The card is one with which the other program can sign.
  expect(await canOtherSign('-a', 'verify-pin', '-P', pin)).toBe(true)
})

test('a process that is killed in the middle of a signature leaves no verified PIN, and the next signature works', async () => {
  proves('killed-signature', 'pin-reused')
  let killed = 0
  const card = await insert((instruction) => {
    if (instruction !== 0x87 || killed > 0) return
    for (const id of findCardProcesses()) {
      process.kill(id, 'SIGKILL')
      killed += 1
    }
  })
  await holdConnection(readerName)
  const interrupted = await sign()
  expect(killed).toBe(1)
  expect([interrupted.status, interrupted.json.code]).toEqual([503, '702004'])
  await waitFor(() => card.trace.at(-1) === 'reset')
  expect(await canOtherSign()).toBe(false)
  expect((await sign()).status).toBe(200)
  expect(await canOtherSign()).toBe(false)
})
