/** PC/SC error codes, from each call that lists readers: the state while it lasts and after the call succeeds. */
import { describe, expect, test } from 'vitest'
import { getAmount } from '../../../test/bed/amounts.ts'
import { proves } from '../../../test/bed/proves.ts'
import { codes, isPcscCode, type PcscCode } from '../../src/sandbox/pcsc/codes.ts'
import type { Snapshot } from '../../src/sandbox/readers/readers.ts'
import type { Call, CallName, Reply } from '../scripted-card-service/driver-protocol.ts'
import {
  changeLimitMs,
  haveNames,
  registerScriptedCardServices,
  timeoutMs,
} from './scripted-sandbox.ts'

const start = registerScriptedCardServices()

const everyCode = Object.keys(codes).filter(isPcscCode)
const wanted = getAmount('codes of the card service from each call')
/** Spread over the table, which is in the order of their values. */
const allCodes = everyCode.filter((_, at) => (at * wanted) % everyCode.length < wanted)
const reader = { name: 'Reader', atr: '3B00' }

/** The code of a snapshot, or its readers, each with a `+` where there is a card. */
const describeSnapshot = ({ pcsc, readers }: Snapshot) =>
  pcsc.kind === 'down' ? pcsc.code : `up: ${readers.map(describeReader).join()}`
const describeReader = ({ name, card }: Snapshot['readers'][number]) => (card ? `${name} +` : name)
const recovered = 'up: Reader +'

/** These codes concern a reader, its card or the wait: the readers are listed all the same. */
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

/** Observes the state while a call returns a code, and within two seconds after it no longer does. */
async function observeCode(call: CallName, code: PcscCode, expected: string) {
  const { service, supervise } = await start()
  service.plug(reader)
  const undo = service.script(call, { code: codes[code].value })
  const { readers, waitFor, logged } = supervise()
  await waitFor(
    (snapshot) => (describeSnapshot(snapshot) === expected ? true : undefined),
    timeoutMs,
  )
  const meanwhile = describeSnapshot(readers.snapshot())
  undo()
  await waitFor(
    (snapshot) => (describeSnapshot(snapshot) === recovered ? true : undefined),
    changeLimitMs,
  )
  const afterwards = describeSnapshot(readers.snapshot())
  await readers.stop()
  await service.stop()
  return { code, meanwhile, afterwards, logged }
}

/** Observes every code, four at a time. */
async function observeEveryCode(call: CallName, expected: (code: PcscCode) => string) {
  const waiting = allCodes.values()
  const worker = async () => {
    const found: Awaited<ReturnType<typeof observeCode>>[] = []
    for (const code of waiting) found.push(await observeCode(call, code, expected(code)))
    return found
  }
  const results = await Promise.all(Array.from({ length: 4 }, worker))
  return results
    .flat()
    .toSorted((one, other) => allCodes.indexOf(one.code) - allCodes.indexOf(other.code))
}

const expectObservations = (expected: (code: PcscCode) => string) =>
  allCodes.map((code) => ({ code, meanwhile: expected(code), afterwards: recovered, logged: [] }))

describe('a code', () => {
  test('of SCardEstablishContext is reported, and is cleared when the call succeeds', async () => {
    proves('card-service-errors')
    const expected = (code: PcscCode) => code
    expect(await observeEveryCode('establish', expected)).toEqual(expectObservations(expected))
  })

  test('of SCardListReaders is reported, and is cleared when the call succeeds; no readers are not a failure', async () => {
    proves('card-service-errors')
    const expected = (code: PcscCode) => (code === 'SCARD_E_NO_READERS_AVAILABLE' ? 'up: ' : code)
    expect(await observeEveryCode('list-readers', expected)).toEqual(expectObservations(expected))
  })

  test('of SCardGetStatusChange is reported when it concerns the service, and is cleared when the call succeeds', async () => {
    proves('card-service-errors')
    const expected = (code: PcscCode) => (harmless.has(code) ? 'up: Reader' : code)
    expect(await observeEveryCode('status-change', expected)).toEqual(expectObservations(expected))
  })
})

describe('a card service with contradictory replies', () => {
  /** Returns every state as the caller has it. */
  const replyUnchanged = ({ fields: [, ...states] }: Call): Reply => ({
    code: 0,
    fields: states.map((text) => `${text.split(',')[1]},x`),
  })
  test.each([
    { behaviour: 'every wait is over before its time', reply: codes.SCARD_E_TIMEOUT.value },
    { behaviour: 'every wait brings no change', reply: replyUnchanged },
    { behaviour: 'every wait is cancelled', reply: codes.SCARD_E_CANCELLED.value },
    { behaviour: 'no reader can be waited for', reply: codes.SCARD_E_UNKNOWN_READER.value },
  ])('where $behaviour does not keep the sandbox busy', async ({ reply }) => {
    const { service, supervise } = await start()
    service.plug(reader)
    // The sandbox sends a call when the one before is answered: this machine may be slow to look, their times are those.
    const times: number[] = []
    service.script('status-change', async (call, usual) => {
      if (call.fields[0] === '0') return usual()
      times.push(performance.now())
      return typeof reply === 'number' ? { code: reply } : reply(call)
    })
    const { waitFor } = supervise()
    await waitFor(haveNames('Reader'))

    // First the burst that is allowed because a card in use causes one; it is over by then.
    await service.waitForCall(() => times.length >= 30)
    // Five waits take a second; one may be noticed late. A sandbox that is busy sends five within milliseconds.
    expect((times.at(-1) ?? 0) - (times.at(-6) ?? 0)).toBeGreaterThan(500)
  })

  test('that is not there is queried less and less often', async () => {
    const { service, supervise } = await start()
    service.script('establish', { code: codes.SCARD_E_NO_SERVICE.value })
    const { waitFor } = supervise()
    const from = performance.now()
    await waitFor((snapshot) =>
      describeSnapshot(snapshot) === 'SCARD_E_NO_SERVICE' ? true : undefined,
    )
    await service.waitForCall(() => service.calls.length >= 6)
    // 50, 100, 200, 400 and 800 ms between them.
    expect(performance.now() - from).toBeGreaterThan(1500)
  })
})
