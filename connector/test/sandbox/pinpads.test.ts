/** Key pads of readers, asked by the real sandbox of a card service that says what a test wants. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { codes } from '../../src/sandbox/pcsc/codes.ts'
import type { Snapshot } from '../../src/sandbox/readers/readers.ts'
import { hasPinpad, haveNames, registerScriptedCardServices } from './scripted-sandbox.ts'

const start = registerScriptedCardServices()

/** FEATURE_* of PC/SC part 10 §2.2. */
const features = {
  verifyPinStart: 0x01,
  verifyPinDirect: 0x06,
  modifyPinDirect: 0x07,
  pinProperties: 0x0a,
  tlvProperties: 0x12,
}

const pinpads = ({ readers }: Snapshot) => readers.map(({ pinpad }) => pinpad)

test('readers have a key pad when they take a PIN, and none when they have other features, no features or no support for the query', async () => {
  const { service, supervise } = await start()
  const { verifyPinStart, verifyPinDirect, modifyPinDirect, pinProperties, tlvProperties } =
    features
  service.plug(
    { name: 'Direct', features: [verifyPinDirect, modifyPinDirect, pinProperties] },
    { name: 'Started', features: [verifyPinStart] },
    { name: 'Others', features: [modifyPinDirect, pinProperties, tlvProperties] },
    { name: 'None', features: [] },
    { name: 'Deaf' },
    { name: 'Direct with a card', features: [verifyPinDirect], atr: '3B00' },
  )

  const { readers, waitFor } = supervise()

  // A machine with much to do lists a reader before its key pad is known.
  await waitFor((snapshot) => pinpads(snapshot)[5] || undefined)
  expect(pinpads(readers.snapshot())).toEqual([true, true, false, false, false, true])
  // Each was asked once, over a connection that is not there any more.
  const made = (name: string) => service.calls.filter((call) => call.name === name).length
  expect([made('control'), made('disconnect')]).toEqual([6, 6])
})

test.each(['connect', 'control'] as const)(
  'a reader that is busy in %s is listed at once, queried again, and found to have a key pad',
  async (call) => {
    proves('busy-reader-listed')
    const { service, supervise } = await start()
    service.plug({ name: 'Pad', features: [features.verifyPinDirect] })
    const undo = service.script(call, { code: codes.SCARD_E_SHARING_VIOLATION.value })
    const { readers, waitFor, logged } = supervise()
    await readers.ready(10_000)
    const atFirst = pinpads(readers.snapshot())
    await service.waitForCall(({ name }) => name === call)
    undo()

    expect(await waitFor(hasPinpad)).toBe(true)

    expect([atFirst, logged]).toEqual([[false], []])
  },
)

/** Every code but those that mean that the same question gets no other answer later. */
const passing = [
  'SCARD_E_NO_SMARTCARD',
  'SCARD_E_NO_READERS_AVAILABLE',
  'SCARD_F_COMM_ERROR',
] as const
test.each(passing)('%s is not taken for a reader without a key pad', async (code) => {
  const { service, supervise } = await start()
  service.plug({ name: 'Pad', features: [features.verifyPinDirect] })
  const undo = service.script('control', { code: codes[code].value })
  const { waitFor } = supervise()
  await service.waitForCall(({ name }) => name === 'control')
  undo()

  expect(await waitFor(hasPinpad)).toBe(true)
})

test('a reader whose every answer is an error is listed, and so are the others', async () => {
  proves('busy-reader-listed', 'reader-data-wrong')
  const { service, supervise } = await start()
  const values = Object.values(codes).map(({ value }) => value)
  const readers = Array.from({ length: 8 }, (_, at) => ({ name: `Reader ${at}` }))
  service.plug(...readers, { name: 'Pad', features: [features.verifyPinDirect] })
  // The codes in turn; the last reader alone is answered.
  let turn = 0
  service.script('control', async (call, usual) => {
    const reply = await usual()
    if (reply.code === 0) return reply
    turn += 1
    return { code: values[turn % values.length] ?? call.handle }
  })
  const { waitFor, logged } = supervise()

  expect(await waitFor(haveNames(...readers.map(({ name }) => name), 'Pad'))).not.toBeNull()
  expect(await waitFor(hasPinpad)).toBe(true)
  expect(logged).toEqual([])
})

test('a key pad is queried again when its reader returns as another', async () => {
  const { service, supervise } = await start()
  service.plug({ name: 'Reader', features: [features.verifyPinDirect] })
  const { waitFor } = supervise()
  expect(await waitFor(hasPinpad)).toBe(true)

  service.unplug('Reader')
  await waitFor(haveNames())
  service.plug({ name: 'Reader', features: [] })

  expect(await waitFor(haveNames('Reader'))).toMatchObject([{ pinpad: false }])
})
