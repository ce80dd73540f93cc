/** Operations with an OpenPGP card that GnuPG and OpenSC accept, over T=0 and T=1, without a reader. */
import { createHash, createPublicKey, verify } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { CardError } from '../../src/sandbox/card-modules/card-error.ts'
import { createCardSession } from '../../src/sandbox/card-modules/card-session.ts'
import { runOperation } from '../../src/sandbox/card-modules/run-operation.ts'
import type { CardOperation, CardResult } from '../../src/system/ipc/card-messages.ts'
import { traceCard } from './emulated-card.ts'
import { createOpenpgpCard, type OpenpgpCardOptions, type OpenpgpKey } from './openpgp-card.ts'
import { makeOpenpgpFiles, type OpenpgpFiles, type OpenpgpKeyType } from './openpgp-files.ts'

const pin = 'letters & 1'
const message = Buffer.from('a message that is signed')
const types = ['RSA-2048', 'RSA-3072', 'P-256', 'P-384', 'Ed25519'] as const
const module = 'openpgp'

let cards: Readonly<Record<OpenpgpKeyType, OpenpgpFiles>>
beforeAll(async () => {
  const made = await Promise.all(types.map(async (type) => [type, await makeOpenpgpFiles(type)]))
  cards = Object.fromEntries(made)
})

function open(type: OpenpgpKeyType, options: Partial<OpenpgpCardOptions> = {}) {
  const { keys, certificates } = cards[type]
  const protocol = options.protocol ?? 'T=1'
  const card = traceCard(createOpenpgpCard({ keys, certificates, pin, protocol, ...options }))
  const session = createCardSession({ protocol, transmit: card.respond, isOver: () => false })
  const run = (operation: CardOperation, entered = pin): CardResult =>
    runOperation(session, operation, {
      pin: Buffer.from(entered),
      onPin: () => undefined,
      findPad: () => undefined,
    })
  const fail = (operation: CardOperation, entered = pin) => {
    try {
      return { result: run(operation, entered) }
    } catch (error) {
      if (!(error instanceof CardError)) throw error
      return { problem: error.problem, triesLeft: error.triesLeft }
    }
  }
  return { card, run, fail }
}

const isVerify = (entry: string) => entry.startsWith('0020') && entry.endsWith('bytes)')
const digest = createHash('sha256').update(message).digest()
const sign = (key: string, certificate: string): CardOperation => {
  const digests = [digest.toString('base64')]
  const mayAuthenticate = key === 'authentication' ? { mayAuthenticate: true as const } : {}
  return { kind: 'sign', module, key, certificate, hash: 'sha256', digests, ...mayAuthenticate }
}

const isValid = (type: OpenpgpKeyType, key: OpenpgpKey, signature: Uint8Array): boolean => {
  const { [key]: privateKey } = cards[type].keys
  if (!privateKey) throw new Error('Expected a key')
  const publicKey = createPublicKey(privateKey)
  if (type === 'Ed25519') return verify(null, digest, publicKey, signature)
  return verify('sha256', message, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)
}

/** What is bound to a signature: what `prepare` tells of the key. */
const readKey = (run: (operation: CardOperation) => CardResult, key: OpenpgpKey): string => {
  const prepared = run({ kind: 'prepare', module, key })
  if (prepared.kind !== 'prepare') throw new Error('Expected a key')
  return prepared.certificate ?? prepared.publicKey ?? ''
}

describe.each(types.flatMap((type) => [[type, 'T=1'] as const, [type, 'T=0'] as const]))(
  'OpenPGP card with keys of %s over %s',
  (type, protocol) => {
    test.each(['signature', 'authentication'] as const)(
      'key %s signs, with its PIN directly before',
      (key) => {
        proves('openpgp-signatures')
        const { card, run } = open(type, { protocol })
        const result = run(sign(key, readKey(run, key)))
        const [signature = ''] = result.kind === 'sign' ? result.signatures : []
        expect(isValid(type, key, Buffer.from(signature, 'base64'))).toBe(true)
        const at = card.trace.findIndex(isVerify)
        const command = key === 'signature' ? /^002A9E9A/ : /^00880000/
        expect(card.trace.slice(at, at + 2)).toEqual([
          key === 'signature' ? '002000810B (11 bytes)' : '002000820B (11 bytes)',
          expect.stringMatching(command),
        ])
        expect(card.trace.filter(isVerify)).toHaveLength(1)
      },
    )

    test('signs without a certificate too, by its public key', () => {
      proves('openpgp-signatures')
      const { run } = open(type, { protocol, certificates: {} })
      expect(run({ kind: 'prepare', module, key: 'signature' })).toMatchObject({ triesLeft: 3 })
      const key = readKey(run, 'signature')
      const { signature } = cards[type].keys
      if (!signature) throw new Error('Expected a key')
      const expected = createPublicKey(signature).export({ format: 'der', type: 'spki' })
      expect(key).toBe(expected.toString('base64'))
      const result = run(sign('signature', key))
      const [made = ''] = result.kind === 'sign' ? result.signatures : []
      expect(isValid(type, 'signature', Buffer.from(made, 'base64'))).toBe(true)
    })
  },
)

test('certificates are read byte for byte, those of all three keys', () => {
  const { run } = open('P-256')
  const certificate = (key: OpenpgpKey) =>
    Buffer.from(cards['P-256'].certificates[key] ?? []).toString('base64')
  const names = ['signature', 'authentication', 'encryption'] as const
  expect(run({ kind: 'certificates', module })).toEqual({
    kind: 'certificates',
    certificates: names.map((key) => ({ key, certificate: certificate(key) })),
  })
})

test('a card with another public key gets no PIN', () => {
  proves('openpgp-card-hostile')
  const { card, fail } = open('P-256', { certificates: {} })
  const { signature } = cards['Ed25519'].keys
  if (!signature) throw new Error('Expected a key')
  const other = createPublicKey(signature).export({ format: 'der', type: 'spki' })
  expect(fail(sign('signature', other.toString('base64'))).problem).toBe('card-changed')
  expect(card.trace.filter(isVerify)).toEqual([])
})

test('the key to decrypt with signs nothing, and its card gets no PIN', () => {
  proves('openpgp-card-hostile')
  const { card, run, fail } = open('RSA-2048')
  const operation = sign('encryption', readKey(run, 'encryption'))
  expect(fail(operation).problem).toBe('key-unsupported')
  expect(card.trace.filter(isVerify)).toEqual([])
})

test('a card that wants PINs hashed gets none, and says so before anybody is asked', () => {
  proves('openpgp-card-hostile')
  const { card, fail } = open('P-256', { hashesPins: true })
  const certificate = Buffer.from(cards['P-256'].certificates.signature ?? []).toString('base64')
  const operations = [
    { kind: 'prepare', module, key: 'signature' },
    { kind: 'verify', module, key: 'signature', certificate },
    sign('signature', certificate),
  ] as const
  for (const operation of operations) expect(fail(operation).problem).toBe('key-unsupported')
  expect(card.trace.filter(isVerify)).toEqual([])
})

test('a wrong PIN costs one try and says what is left; the third blocks it', () => {
  const { run, fail } = open('P-256')
  const certificate = readKey(run, 'signature')
  const wrong = () => fail({ kind: 'verify', module, key: 'signature', certificate }, 'wrong one')
  expect([wrong(), wrong(), wrong()]).toEqual([
    { problem: 'pin-wrong', triesLeft: 2 },
    { problem: 'pin-wrong', triesLeft: 1 },
    { problem: 'pin-blocked', triesLeft: 0 },
  ])
})

test.each(['12345', '', 'é23456', '1234567\n', '1'.repeat(128)])(
  'the PIN %j is never sent',
  (entered) => {
    const { card, run, fail } = open('P-256')
    const certificate = readKey(run, 'signature')
    const operation = { kind: 'verify', module, key: 'signature', certificate } as const
    expect(fail(operation, entered).problem).toBe('pin-invalid')
    expect(card.trace.filter(isVerify)).toEqual([])
  },
)

test('says who its holder is, and what it is', () => {
  const { run } = open('P-256')
  expect(run({ kind: 'identity', module, parts: ['biometric'] })).toMatchObject({
    identity: {
      biometric: {
        ...{ name: 'LOVELACE', firstNames: 'ADA KING', sex: 'F', signature: '' },
        ...{ version: '3.4', cardNumber: 'FFFFCAFE1234' },
      },
    },
  })
  expect(run({ kind: 'info', module })).toMatchObject({
    info: { applicationVersion: '3.4', serialNumber: 'FFFFCAFE1234', prnGeneration: true },
  })
})
