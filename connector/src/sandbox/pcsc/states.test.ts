/** SCARD_READERSTATE in the layout of each system. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { layouts } from './layout.ts'
import { encodeName } from './names.ts'
import { packStates, unpackStates } from './states.ts'

const address = 0x7f00_0000_1000n

describe.each(['linux', 'darwin', 'win32'] as const)('%s', (platform) => {
  const layout = layouts[platform]
  const { size, name, current, event, atrLength, atr } = layout.readerState
  const awaited = [
    { name: encodeName('One', layout.text), state: 0x0001_0022 },
    { name: encodeName('Another', layout.text), state: 0 },
  ]
  const pack = () => packStates(awaited, layout, () => address)

  test('points each structure at its name, and sets its initial state', () => {
    const bytes = pack()
    const view = new DataView(bytes.buffer)
    for (const [index, entry] of awaited.entries()) {
      const at = Number(view.getBigUint64(index * size + name, true) - address)
      expect(bytes.subarray(at, at + entry.name.length)).toEqual(entry.name)
      expect(view.getUint32(index * size + current, true)).toBe(entry.state)
    }
  })

  test.each([
    { behaviour: 'an empty reader', flags: 0x0001_0012, bytes: '', expected: { changed: true } },
    {
      behaviour: 'a card with its ATR, and the counter to wait from',
      flags: 0x0003_0022,
      bytes: '3b00',
      expected: { state: 0x0003_0020, atr: '3B00' },
    },
    {
      behaviour: 'a longest ATR',
      flags: 0x22,
      bytes: 'ab'.repeat(33),
      expected: { atr: 'AB'.repeat(33) },
    },
    { behaviour: 'a card with an ATR of no bytes as none', flags: 0x22, bytes: '', expected: {} },
    { behaviour: 'a card that does not answer as none', flags: 0x222, bytes: '', expected: {} },
    {
      behaviour: 'an old ATR of a card that left as none',
      flags: 0x12,
      bytes: '3b00',
      expected: {},
    },
    { behaviour: 'a reader that is gone', flags: 0x6, bytes: '', expected: { gone: true } },
  ])('reads $behaviour', ({ flags, bytes: hex, expected }) => {
    proves('reader-data-wrong')
    const bytes = pack()
    const view = new DataView(bytes.buffer)
    const card = Buffer.from(hex, 'hex')
    view.setUint32(size + event, flags, true)
    view.setUint32(size + atrLength, card.length, true)
    bytes.set(card, size + atr)
    const [, status] = unpackStates(bytes, ['One', 'Another'], layout)
    expect(status).toMatchObject({ name: 'Another', ...expected })
    expect(status && 'atr' in status).toBe('atr' in expected)
  })
})
