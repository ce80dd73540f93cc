/** Operations with a Belgian identity card that OpenSC accepts, over T=0 and T=1, without a reader. */
import { createHash, verify, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { CardError } from '../../src/sandbox/card-modules/card-error.ts'
import { findCardModule } from '../../src/sandbox/card-modules/card-modules.ts'
import { type CardSession, createCardSession } from '../../src/sandbox/card-modules/card-session.ts'
import type { HashName } from '../../src/sandbox/card-modules/key-type.ts'
import { runOperation } from '../../src/sandbox/card-modules/run-operation.ts'
import type { CardOperation, CardResult } from '../../src/system/ipc/card-messages.ts'
import { type BeidApplet, createBeidCard } from './beid-card.ts'
import { type BeidFiles, makeBeidFiles } from './beid-files.ts'
import { traceCard } from './emulated-card.ts'

const pin = '123456'
const message = Buffer.from('a message that is signed')
const kinds = [
  ['1.7', 'T=0'],
  ['1.7', 'T=1'],
  ['1.8', 'T=0'],
  ['1.8', 'T=1'],
] as const

let cards: Readonly<Record<BeidApplet, BeidFiles>>
beforeAll(async () => {
  cards = { '1.7': await makeBeidFiles('1.7'), '1.8': await makeBeidFiles('1.8') }
})

function open(applet: BeidApplet, protocol: 'T=0' | 'T=1' = 'T=0') {
  const { privateKeys, files } = cards[applet]
  const card = traceCard(createBeidCard({ applet, privateKeys, files, pin, protocol }))
  const session = createCardSession({ protocol, transmit: card.respond, isOver: () => false })
  let announcedPins = 0
  const run = (operation: CardOperation, entered = pin): CardResult =>
    runOperation(session, operation, {
      pin: Buffer.from(entered),
      onPin: () => {
        announcedPins += 1
      },
      findPad: () => undefined,
    })
  /** The problem of an operation, and how many tries it says are left. */
  const fail = (operation: CardOperation, entered = pin) => {
    try {
      return { result: run(operation, entered) }
    } catch (error) {
      if (!(error instanceof CardError)) throw error
      return { problem: error.problem, triesLeft: error.triesLeft }
    }
  }
  return { card, session, run, fail, announcedPins: () => announcedPins }
}

const certificateOf = (applet: BeidApplet, file: string) =>
  Buffer.from(cards[applet].files[file] ?? []).toString('base64')
const files = { authentication: '5038', signature: '5039' } as const
const verifyPin = (applet: BeidApplet): CardOperation => ({
  kind: 'verify',
  module: 'beid',
  key: 'authentication',
  certificate: certificateOf(applet, files.authentication),
})
const sign = (applet: BeidApplet, key: keyof typeof files, hash: HashName, count = 1) => {
  const digest = createHash(hash).update(message).digest('base64')
  const digests = Array.from({ length: count }, () => digest)
  const certificate = certificateOf(applet, files[key])
  const operation = { kind: 'sign', module: 'beid', key, hash, certificate, digests } as const
  return key === 'authentication' ? ({ ...operation, mayAuthenticate: true } as const) : operation
}
const authorities = ['intermediate', 'root'] as const
const isVerify = (entry: string) => entry.startsWith('0020') && entry.endsWith('bytes)')

describe.each(kinds)('Belgian card of applet %s over %s', (applet, protocol) => {
  test('the certificates of its keys and authorities are read byte for byte', () => {
    const { run } = open(applet, protocol)
    expect(run({ kind: 'certificates', module: 'beid', authorities })).toEqual({
      kind: 'certificates',
      certificates: [
        { key: 'authentication', certificate: certificateOf(applet, '5038') },
        { key: 'signature', certificate: certificateOf(applet, '5039') },
      ],
      authorities: [
        { role: 'intermediate', certificate: certificateOf(applet, '503A') },
        { role: 'root', certificate: certificateOf(applet, '503B') },
      ],
    })
  })

  const hashes: readonly HashName[] = ['sha256', 'sha384', 'sha512']
  const allHashes = applet === '1.7' ? (['sha1', ...hashes] as const) : hashes
  test.each(allHashes)('both keys sign with %s', async (hash) => {
    proves('belgian-signatures')
    for (const key of ['authentication', 'signature'] as const) {
      const { run } = open(applet, protocol)
      const result = run(sign(applet, key, hash))
      const [signature = ''] = result.kind === 'sign' ? result.signatures : []
      const certificate = await readFile(cards[applet].certificateFile(key))
      const { publicKey } = new X509Certificate(certificate)
      const bytes = Buffer.from(signature, 'base64')
      const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
      expect([key, verify(hash, message, options, bytes)]).toEqual([key, true])
    }
  })

  test('says what it is, and which application it has', () => {
    proves('belgian-data')
    const { session } = open(applet, protocol)
    const module = findCardModule('beid')
    expect(module?.info?.(session)).toEqual({
      rawData: expect.any(String),
      applicationVersion: applet,
      version: 0,
      serialNumber: '534C494E0123456789ABCDEF01234567',
      label: 'BELPIC',
      prnGeneration: true,
      eidCompliant: true,
      graphicalPersoVersion: 5,
      versionRfu: 0,
      electricalPersoVersion: 2,
      electricalPersoInterfaceVersion: 1,
      activated: true,
    })
  })
})

test.each(kinds)(
  'the PIN of applet %s over %s stands directly before each signature',
  (applet, protocol) => {
    const { card, run, announcedPins } = open(applet, protocol)
    run(sign(applet, 'signature', 'sha256', 2))
    const at = card.trace.flatMap((entry, position) => (isVerify(entry) ? [position] : []))
    expect(at).toHaveLength(2)
    for (const position of at) {
      expect(card.trace.slice(position - 2, position + 2)).toEqual([
        '00A4080C043F00DF00',
        expect.stringMatching(/^002241B6050480018483$/),
        '0020000108 (8 bytes)',
        expect.stringMatching(/^002A9E9A/),
      ])
    }
    expect(announcedPins()).toBe(2)
  },
)

test('where those of authorities alone are asked for, no other certificate is read', () => {
  const { card, run } = open('1.7')
  const result = run({ kind: 'certificates', module: 'beid', keys: [], authorities })
  expect(result).toMatchObject({ certificates: [], authorities: [{}, {}] })
  expect(card.trace.filter((entry) => entry.startsWith('00A408'))).toEqual([
    '00A4080C063F00DF00503A',
    '00A4080C063F00DF00503B',
  ])
})

test('a card that was not issued yet says so', () => {
  const { session } = open('1.7')
  const notIssued: CardSession = {
    send(command) {
      const { data, status } = session.send(command)
      return { data: command.cla === 0x80 ? data.with(-1, 0x07) : data, status }
    },
  }
  expect(findCardModule('beid')?.info?.(notIssued).activated).toBe(false)
})

test('applet 1.8 does not sign with SHA-1, and gets no PIN for it', () => {
  const { card, fail } = open('1.8')
  expect(fail(sign('1.8', 'signature', 'sha1')).problem).toBe('key-unsupported')
  expect(card.trace.filter(isVerify)).toEqual([])
})

test('tries cannot be asked for: what comes before a PIN costs none', () => {
  proves('unknown-pin-attempts')
  const { card, run } = open('1.7')
  const prepared = run({ kind: 'prepare', module: 'beid', key: 'signature' })
  expect(prepared).toEqual({ kind: 'prepare', certificate: certificateOf('1.7', '5039') })
  expect(card.trace.filter((entry) => entry.startsWith('0020'))).toEqual([])
})

test('a wrong PIN costs one try and says what is left; the third blocks it', () => {
  const { card, fail } = open('1.7')
  const wrong = () => fail(verifyPin('1.7'), '654321')
  expect([wrong(), wrong(), wrong()]).toEqual([
    { problem: 'pin-wrong', triesLeft: 2 },
    { problem: 'pin-wrong', triesLeft: 1 },
    { problem: 'pin-blocked', triesLeft: 0 },
  ])
  expect(card.trace.filter(isVerify)).toHaveLength(3)
})

test.each(['123', '1234567890123', '12a4', ''])('the PIN %j is never sent', (entered) => {
  const { card, fail, announcedPins } = open('1.7')
  expect(fail(verifyPin('1.7'), entered).problem).toBe('pin-invalid')
  expect([card.trace.filter(isVerify), announcedPins()]).toEqual([[], 0])
})

test.each([
  ['1234', '241234FFFFFFFFFF'],
  ['12345', '2512345FFFFFFFFF'],
  ['123456789012', '2C123456789012FF'],
])('the block of the PIN %s has its length and two digits a byte', (digits, block) => {
  proves('unknown-pin-attempts')
  const [key] = findCardModule('beid')?.keys ?? []
  const made = key?.pin?.toBlock(Buffer.from(digits))
  expect(
    Buffer.from(made ?? [])
      .toString('hex')
      .toUpperCase(),
  ).toBe(block)
})
