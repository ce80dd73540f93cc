/** As many readers, names as long and answers to reset as short and as long as a card service gives. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { bytesField, textField } from '../scripted-card-service/driver-protocol.ts'
import {
  changeLimitMs,
  hasPinpad,
  haveNames,
  registerScriptedCardServices,
} from './scripted-sandbox.ts'

const start = registerScriptedCardServices()

/** The longest answer to reset (ISO/IEC 7816-3 §8.2.1). */
const longest = '3B'.repeat(33)

test('sixteen readers are listed, and what happens in the last one', async () => {
  proves('many-readers')
  const { service, supervise } = await start()
  const names = Array.from({ length: 16 }, (_, at) => `Reader ${at}`)
  service.plug(...names.map((name) => ({ name })))
  const { waitFor } = supervise()
  expect(await waitFor(haveNames(...names))).not.toBeNull()

  service.insert('Reader 15', longest)
  const withCard = await waitFor(({ readers }) => readers.find(({ card }) => card), changeLimitMs)
  service.unplug('Reader 3')
  const fifteen = names.filter((name) => name !== 'Reader 3')

  expect(withCard).toMatchObject({ name: 'Reader 15', card: { atr: longest } })
  expect(await waitFor(haveNames(...fifteen), changeLimitMs)).not.toBeNull()
  // There is room for another now.
  service.plug({ name: 'Another' })
  expect(await waitFor(haveNames(...fifteen, 'Another'), changeLimitMs)).not.toBeNull()
})

test('more readers than one wait takes are listed, and what happens in the last one', async () => {
  const { service, supervise } = await start()
  const names = Array.from({ length: 20 }, (_, at) => `Reader ${at}`)
  service.plug(...names.map((name) => ({ name })))
  const { waitFor } = supervise()
  expect(await waitFor(haveNames(...names))).not.toBeNull()

  service.insert('Reader 19', '3B00')

  expect(
    await waitFor(({ readers }) => readers.find(({ card }) => card), changeLimitMs),
  ).toMatchObject({
    name: 'Reader 19',
  })
})

test.each([
  { what: '127 bytes, the last ones a character', name: `#${'é'.repeat(63)}`, bytes: 127 },
  { what: '128 bytes of two each', name: 'é'.repeat(64), bytes: 128 },
  { what: '128 bytes of four each', name: '🂡'.repeat(32), bytes: 128 },
])('a name of $what is listed, and its card', async ({ name, bytes }) => {
  const { service, supervise } = await start()
  service.plug({ name, atr: '3B00', features: [6] })
  const { waitFor } = supervise()

  expect(Buffer.byteLength(name)).toBe(bytes)
  expect(await waitFor(haveNames(name))).toMatchObject([{ name, card: { atr: '3B00' } }])
  // A machine with much to do lists a reader before its key pad is known.
  expect(await waitFor(hasPinpad)).toBe(true)
})

test('a name that is cut within a character is queried by its bytes, for its card and its key pad', async () => {
  proves('many-readers')
  const { service, supervise } = await start()
  // As pcsc-lite cuts it: 127 bytes, the last one the first half of a character.
  const bytes = Buffer.from('é'.repeat(64)).subarray(0, 127)
  const read = `${'é'.repeat(63)}\ufffd`
  // The service of the test reads the bytes as this name too.
  service.plug({ name: read, atr: '3B00', features: [6] })
  const multiString = Buffer.concat([bytes, Buffer.from('\0\0')])
  service.script('list-readers', async () => ({
    code: 0,
    fields: [bytesField(multiString.toString('hex'))],
  }))
  const unknown = { code: 0x80100009 }
  for (const name of ['status-change', 'connect'] as const)
    service.script(name, async ({ fields }, usual) =>
      // Whoever asks for what it has read asks for another reader.
      fields.some((field) => field.startsWith(textField(read))) ? unknown : usual(),
    )

  const { waitFor } = supervise()

  expect(await waitFor(haveNames(read))).toMatchObject([{ card: { atr: '3B00' } }])
  expect(await waitFor(hasPinpad)).toBe(true)
})

test.each([
  { what: 'of 33 bytes', atr: longest, card: { atr: longest } },
  { what: 'of 2 bytes', atr: '3B00', card: { atr: '3B00' } },
  { what: 'of 1 byte', atr: '3B', card: { atr: '3B' } },
  { what: 'of no bytes, which no working card gives', atr: '', card: undefined },
])(
  'an answer to reset $what is reported unchanged, at the start and on insertion',
  async ({ atr, card }) => {
    proves('reader-data-wrong')
    const { service, supervise } = await start()
    service.plug({ name: 'First', atr }, { name: 'Later' }, { name: 'Control' })
    const { waitFor } = supervise()
    await waitFor(haveNames('First', 'Later', 'Control'))

    service.insert('Later', atr)
    service.insert('Control', '3BFF')

    const readers = await waitFor(
      ({ readers: [, later, control] }) =>
        control?.card && Bun.deepEquals(later?.card, card) ? true : undefined,
      changeLimitMs,
    )
    expect(readers).toBe(true)
  },
)
