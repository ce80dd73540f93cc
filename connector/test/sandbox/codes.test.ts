/** Every code there is, from each call that lists readers: what is told of it, and that it passes. */
import { describe, expect, test } from 'vitest'
import { codes, isPcscCode, type PcscCode } from '../../src/pcsc/codes.ts'
import type { Snapshot } from '../../src/readers/readers.ts'
import type { Call, CallName, Reply } from '../scripted-card-service/wire.ts'
import { longMs, named, scriptedCardServices, soonMs } from './scripted.ts'

const start = scriptedCardServices()

const every = Object.keys(codes).filter(isPcscCode)
const reader = { name: 'Reader', atr: '3B00' }

/** What is told: the code, or the readers, each with a `+` where there is a card. */
const told = ({ pcsc, readers }: Snapshot) =>
  pcsc.kind === 'down' ? pcsc.code : `up: ${readers.map(labelled).join()}`
const labelled = ({ name, card }: Snapshot['readers'][number]) => (card ? `${name} +` : name)
const whole = 'up: Reader +'

/** These speak of a reader, of its card or of the wait: no reason to hide the readers that there are. */
const harmless: ReadonlySet<PcscCode> = new Set([
  'SCARD_E_CANCELLED',
  'SCARD_E_CARD_UNSUPPORTED',
  'SCARD_E_INVALID_ATR',
  'SCARD_E_NOT_READY',
  'SCARD_E_NO_READERS_AVAILABLE',
  'SCARD_E_NO_SMARTCARD',
  'SCARD_E_PROTO_MISMATCH',
  'SCARD_E_READER_UNAVAILABLE',
  'SCARD_E_READER_UNSUPPORTED',
  'SCARD_E_SHARING_VIOLATION',
  'SCARD_E_TIMEOUT',
  'SCARD_E_UNKNOWN_CARD',
  'SCARD_E_UNKNOWN_READER',
  'SCARD_W_REMOVED_CARD',
  'SCARD_W_RESET_CARD',
  'SCARD_W_UNPOWERED_CARD',
  'SCARD_W_UNRESPONSIVE_CARD',
  'SCARD_W_UNSUPPORTED_CARD',
])

/** What is told while a call answers with a code, and within two seconds of its having stopped to. */
async function story(call: CallName, code: PcscCode, expected: string) {
  const { service, supervise } = await start()
  service.plug(reader)
  const undo = service.script(call, { code: codes[code].value })
  const { readers, seen, logged } = supervise()
  await seen((snapshot) => (told(snapshot) === expected ? true : undefined), longMs)
  const meanwhile = told(readers.snapshot())
  undo()
  await seen((snapshot) => (told(snapshot) === whole ? true : undefined), soonMs)
  const afterwards = told(readers.snapshot())
  await readers.stop()
  await service.stop()
  return { code, meanwhile, afterwards, logged }
}

/** A story for each code, some at a time. */
async function stories(call: CallName, expected: (code: PcscCode) => string) {
  const waiting = every.values()
  const strand = async () => {
    const found: Awaited<ReturnType<typeof story>>[] = []
    for (const code of waiting) found.push(await story(call, code, expected(code)))
    return found
  }
  const strands = await Promise.all(Array.from({ length: 4 }, strand))
  return strands
    .flat()
    .toSorted((one, other) => every.indexOf(one.code) - every.indexOf(other.code))
}

const right = (expected: (code: PcscCode) => string) =>
  every.map((code) => ({ code, meanwhile: expected(code), afterwards: whole, logged: [] }))

describe('every code', { timeout: 120_000 }, () => {
  test('of SCardEstablishContext is told, and passes', async () => {
    const expected = (code: PcscCode) => code
    expect(await stories('establish', expected)).toEqual(right(expected))
  })

  test('of SCardListReaders is told, and passes; no readers are not a failure', async () => {
    const expected = (code: PcscCode) => (code === 'SCARD_E_NO_READERS_AVAILABLE' ? 'up: ' : code)
    expect(await stories('list-readers', expected)).toEqual(right(expected))
  })

  test('of SCardGetStatusChange is told when it is the service that speaks, and passes', async () => {
    const expected = (code: PcscCode) => (harmless.has(code) ? 'up: Reader' : code)
    expect(await stories('status-change', expected)).toEqual(right(expected))
  })
})

describe('a card service at odds with itself', () => {
  /** Says of everything that it is as the caller knows it. */
  const unchanged = ({ fields: [, ...states] }: Call): Reply => ({
    code: 0,
    fields: states.map((text) => `${text.split(',')[1]},x`),
  })
  test.each([
    { behaviour: 'every wait is over before its time', reply: codes.SCARD_E_TIMEOUT.value },
    { behaviour: 'every wait brings no change', reply: unchanged },
    { behaviour: 'every wait is cancelled', reply: codes.SCARD_E_CANCELLED.value },
    { behaviour: 'no reader can be waited for', reply: codes.SCARD_E_UNKNOWN_READER.value },
  ])('to which $behaviour does not keep the sandbox busy', async ({ reply }) => {
    const { service, supervise } = await start()
    service.plug(reader)
    service.script('status-change', async (call, usual) => {
      if (call.fields[0] === '0') return usual()
      return typeof reply === 'number' ? { code: reply } : reply(call)
    })
    const { seen } = supervise()
    await seen(named('Reader'))

    // First the burst that somebody at work with a card makes, and then what it comes to.
    await service.called(() => service.calls.length >= 150)
    const from = performance.now()
    await service.called(() => service.calls.length >= 180)

    expect(performance.now() - from).toBeGreaterThan(1000)
  })

  test('that is not there is asked for less and less often', async () => {
    const { service, supervise } = await start()
    service.script('establish', { code: codes.SCARD_E_NO_SERVICE.value })
    const { seen } = supervise()
    const from = performance.now()
    await seen((snapshot) => (told(snapshot) === 'SCARD_E_NO_SERVICE' ? true : undefined))
    await service.called(() => service.calls.length >= 6)
    // 50, 100, 200, 400 and 800 ms between them.
    expect(performance.now() - from).toBeGreaterThan(1500)
  })
})
