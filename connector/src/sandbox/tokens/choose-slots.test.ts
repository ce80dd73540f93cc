/** A token that a library does not describe is no token that is not there. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { CardError } from '../card-modules/card-error.ts'
import { codes, Pkcs11Error } from '../pkcs11/codes.ts'
import { flags } from '../pkcs11/layout.ts'
import { chooseSlots, listTokenNames, readSlots } from './choose-slots.ts'

const [reader, other] = ['A reader', 'Another']

interface Slot {
  readonly description?: string
  /** Absent: it has one without a label. */
  readonly label?: string
  /** The code of C_GetSlotInfo, or of C_GetTokenInfo. */
  readonly slotFails?: number
  readonly tokenFails?: number
  readonly isEmpty?: true
}

const read = (slots: readonly Slot[]) =>
  readSlots({
    listSlots: () => slots.map((_, at) => BigInt(at)),
    readSlot: (slot) => {
      const { description = reader, slotFails } = slots[Number(slot)] ?? {}
      if (slotFails !== undefined) throw new Pkcs11Error('C_GetSlotInfo', slotFails)
      return { description, flags: 0 }
    },
    readToken: (slot) => {
      const { label = '', tokenFails, isEmpty } = slots[Number(slot)] ?? {}
      if (tokenFails !== undefined) throw new Pkcs11Error('C_GetTokenInfo', tokenFails)
      return {
        ...{ label, manufacturer: '', model: 'M', serialNumber: `${slot}`, numbers: [] },
        ...{ hardwareVersion: '1.0', firmwareVersion: '1.0' },
        flags: isEmpty ? 0 : flags.tokenInitialized,
      }
    },
  })

const problemOf = <T>(act: () => T): T | string => {
  try {
    return act()
  } catch (error) {
    if (error instanceof CardError) return error.problem
    throw error
  }
}

const device = codes.CKR_DEVICE_ERROR
const unknown = codes.CKR_TOKEN_NOT_RECOGNIZED
const absent = [
  { tokenFails: codes.CKR_TOKEN_NOT_PRESENT },
  { tokenFails: codes.CKR_DEVICE_REMOVED },
  { slotFails: codes.CKR_SLOT_ID_INVALID },
  { isEmpty: true },
] as const

test.each<[readonly Slot[], readonly string[] | string]>([
  [[], []],
  [[...absent], []],
  [[{ label: 'Ada' }, ...absent], ['Ada']],
  [[{ tokenFails: device }], 'card-mute'],
  [[{ slotFails: device }], 'card-mute'],
  [[{ tokenFails: 0x8000_0001 }, ...absent], 'card-mute'],
  [[{ tokenFails: unknown }], 'card-unsupported'],
  [[{ tokenFails: device }, { label: 'Ada' }], ['Ada']],
  [
    [{ label: 'Ada' }, { label: 'Ada' }, { slotFails: device }],
    ['Ada (0)', 'Ada (1)'],
  ],
])('the tokens of %j are %j', (slots, expected) => {
  proves('card-unreadable')
  expect(problemOf(() => listTokenNames(read(slots)))).toEqual(expected)
})

test.each<[readonly Slot[], readonly number[] | string]>([
  [[], 'card-absent'],
  [[...absent], 'card-absent'],
  [[{}], [0]],
  [[{ description: other }], [0]],
  [[{ description: other }, { description: other }], 'card-unsupported'],
  [[{}, { description: other, tokenFails: device }], [0]],
  [[{}, { slotFails: device }], [0]],
  [[{ tokenFails: device }], 'card-mute'],
  [[{ tokenFails: unknown }], 'card-unsupported'],
  [[{}, {}, { tokenFails: device }], 'card-mute'],
  [[{ description: other }, { tokenFails: device }], 'card-mute'],
  [[{ description: other }, { slotFails: device }], 'card-mute'],
  [[{ description: other }, { description: 'Third', tokenFails: device }], 'card-mute'],
])('for the card in its reader, of the slots %j it is %j', (slots, expected) => {
  proves('card-unreadable')
  const choose = () => chooseSlots(read(slots), { reader, isOwn: false })
  const found = problemOf(() => choose().map(({ slot }) => Number(slot)))
  expect(found).toEqual(expected)
})

test.each<[readonly Slot[], readonly number[] | string]>([
  [[], 'card-absent'],
  [[{ label: 'Eve' }, ...absent], 'card-absent'],
  [[{ label: 'Eve' }, { label: 'Ada' }], [1]],
  [[{ label: 'Ada' }, { tokenFails: device }], [0]],
  [[{ label: 'Eve' }, { tokenFails: device }], 'card-mute'],
  [[{ slotFails: device }], 'card-mute'],
  [[{ label: 'Ada' }, { label: 'Ada' }], 'card-absent'],
])('for the token "Ada", of the slots %j it is %j', (slots, expected) => {
  proves('card-unreadable')
  const choose = () => chooseSlots(read(slots), { reader: 'Ada', isOwn: true })
  const found = problemOf(() => choose().map(({ slot }) => Number(slot)))
  expect(found).toEqual(expected)
})
