/** The operation that reads identity data: what of a card is answered when a part of it cannot be read. */
import { beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { CardError } from '../../src/sandbox/card-modules/card-error.ts'
import { createCardSession } from '../../src/sandbox/card-modules/card-session.ts'
import type { IdentityPart } from '../../src/sandbox/card-modules/identity.ts'
import { runOperation } from '../../src/sandbox/card-modules/run-operation.ts'
import { createBeidCard } from './beid-card.ts'
import { type BeidFiles, makeBeidFiles } from './beid-files.ts'
import { traceCard } from './emulated-card.ts'

let whole: BeidFiles
beforeAll(async () => {
  whole = await makeBeidFiles('1.8')
})

/** Reads these parts of a card without these files; a problem, or the parts that were answered. */
function read(parts: readonly IdentityPart[], missing: readonly string[] = [], module = 'beid') {
  const files = Object.fromEntries(
    Object.entries(whole.files).filter(([name]) => !missing.includes(name)),
  )
  const card = traceCard(createBeidCard({ ...whole, files, pin: '1234', protocol: 'T=1' }))
  const session = createCardSession({
    protocol: 'T=1',
    transmit: card.respond,
    isOver: () => false,
  })
  const options = { pin: new Uint8Array(), onPin: () => undefined, findPad: () => undefined }
  try {
    const result = runOperation(session, { kind: 'identity', module, parts }, options)
    return { found: result.kind === 'identity' && Object.keys(result.identity), card }
  } catch (error) {
    if (error instanceof CardError) return { found: error.problem, card }
    throw error
  }
}

const all = ['biometric', 'address', 'picture'] as const

test.each<[string, readonly IdentityPart[], readonly string[], unknown]>([
  ['all of a whole card', all, [], ['biometric', 'address', 'picture']],
  ['some of a whole card', ['picture', 'address'], [], ['picture', 'address']],
  ['all of a card without a picture', all, ['4035'], ['biometric', 'address']],
  ['all of a card without the signature of the address', all, ['4034'], ['biometric', 'picture']],
  ['the picture of a card without one', ['picture'], ['4035'], 'card-mute'],
  ['all of a card without these files', all, ['4031', '4033', '4035'], 'card-mute'],
])(
  '%s: parts that cannot be read are left out, and a problem when there are no others',
  (_, parts, missing, expected) => {
    proves('identity-refused')
    expect(read(parts, missing).found).toEqual(expected)
  },
)

test('without parts the card is selected, and nothing is read', () => {
  const { found, card } = read([])
  expect(found).toEqual([])
  expect(card.trace.filter((entry) => !entry.startsWith('00A40400'))).toEqual([])
  expect(card.trace).not.toEqual([])
})

test('a card of another module is a problem without a read', () => {
  const { found, card } = read(all, [], 'piv')
  expect(found).toBe('card-unsupported')
  expect(card.trace.filter((entry) => entry.startsWith('00B0'))).toEqual([])
})
