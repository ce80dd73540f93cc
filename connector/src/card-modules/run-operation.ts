/** Does one operation with a card, in a fixed order: select, read, prepare, PIN, sign, and nothing between the last two. */
import type { CardOperation, CardResult } from '../ipc/card-messages.ts'
import { TlvError } from './ber-tlv.ts'
import { CardError } from './card-error.ts'
import { type CardKey, type CardModule, type CardPin, maxCertificateBytes } from './card-module.ts'
import { cardModules, findCardModule } from './card-modules.ts'
import type { CardSession } from './card-session.ts'
import { digestBytes, type KeyType, readKeyType } from './key-type.ts'
import { isPinAllowed } from './pin-rule.ts'

/** `onPin` is called before a PIN is sent: the card has to be reset afterwards, whatever happens. */
export function runOperation(
  session: CardSession,
  operation: CardOperation,
  pin: Uint8Array,
  onPin: () => void,
): CardResult {
  try {
    return perform({ session, pin, onPin }, operation)
  } catch (error) {
    if (!(error instanceof TlvError)) throw error
    throw new CardError('card-mute', `Cannot read the card's answer: ${error.message}`)
  }
}

interface Work {
  readonly session: CardSession
  readonly pin: Uint8Array
  readonly onPin: () => void
}

function perform(work: Work, operation: CardOperation): CardResult {
  const { session } = work
  if (operation.kind === 'probe') {
    const found = cardModules.filter((module) => select(session, module))
    return { kind: 'probe', modules: found.map(({ id }) => id) }
  }
  const module = open(session, operation.module)
  switch (operation.kind) {
    case 'certificates':
      return {
        kind: 'certificates',
        certificates: readCertificates(session, module, operation.key),
      }
    case 'prepare': {
      const key = requireKey(module, operation.key)
      const certificate = readCertificate(session, module, key)
      const triesLeft = key.pin && readTries(session, key.pin)
      return {
        kind: 'prepare',
        ...(certificate && { certificate: toBase64(certificate) }),
        ...(triesLeft !== undefined && { triesLeft }),
      }
    }
    case 'verify': {
      const key = requireKey(module, operation.key)
      requireSameCard(readCertificate(session, module, key), operation.certificate)
      verify(work, key)
      return { kind: 'verify' }
    }
    case 'sign':
      return { kind: 'sign', signatures: signAll(work, module, operation) }
  }
}

function signAll(
  work: Work,
  module: CardModule,
  { key: id, certificate, hash, digests }: Extract<CardOperation, { kind: 'sign' }>,
): string[] {
  const { session } = work
  const key = requireKey(module, id)
  const type = requireKeyType(
    module,
    key,
    requireSameCard(readCertificate(session, module, key), certificate),
  )
  return digests.map((text) => {
    const bytes = Buffer.from(text, 'base64')
    if (bytes.length !== digestBytes[hash]) {
      throw new CardError(
        'key-unsupported',
        `Cannot sign: a digest of ${hash} has ${digestBytes[hash]} bytes`,
      )
    }
    module.prepare?.(session, key)
    verify(work, key)
    return toBase64(module.sign(session, key, type, { hash, bytes }))
  })
}

function verify({ session, pin, onPin }: Work, { pin: rule }: CardKey): void {
  if (!rule) return
  if (!isPinAllowed(rule, pin)) {
    throw new CardError('pin-invalid', 'Cannot use this PIN: the card accepts none like it')
  }
  const block = rule.toBlock(pin)
  onPin()
  try {
    const { status } = session.send({ ins: 0x20, p1: 0x00, p2: rule.reference, data: block })
    if (status !== 0x9000) throw refusePin(status)
  } finally {
    block.fill(0)
  }
}

/** Status words of VERIFY (ISO/IEC 7816-4 §7.5.1, §11.5). */
function refusePin(status: number): CardError {
  const triesLeft = readCounter(status)
  if (triesLeft === 0) return new CardError('pin-blocked', blocked, 0)
  if (triesLeft !== undefined) {
    return new CardError(
      'pin-wrong',
      `The PIN is wrong: ${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left`,
      triesLeft,
    )
  }
  if (status >> 8 === 0x63) return new CardError('pin-wrong', 'The PIN is wrong')
  return new CardError('pin-invalid', 'Cannot use this PIN: the card refuses it')
}

const blocked = 'Cannot use the PIN: it is blocked after too many wrong ones'

/** undefined: the card does not tell. Throws `pin-blocked` when there are none. */
function readTries(session: CardSession, pin: CardPin): number | undefined {
  if (!pin.tellsTries) return undefined
  const { status } = session.send({ ins: 0x20, p1: 0x00, p2: pin.reference })
  const tries = readCounter(status)
  if (tries === 0) throw new CardError('pin-blocked', blocked, 0)
  return tries
}

const readCounter = (status: number): number | undefined => {
  if (status === 0x6983) return 0
  return (status & 0xfff0) === 0x63c0 ? status & 0x0f : undefined
}

function open(session: CardSession, id: string): CardModule {
  const module = findCardModule(id)
  if (module && select(session, module)) return module
  throw new CardError('card-unsupported', `Cannot use the card: it is none of module "${id}"`)
}

const select = (session: CardSession, { aids }: CardModule): boolean =>
  aids.some((aid) => {
    const response = session.send({ ins: 0xa4, p1: 0x04, p2: 0x00, data: aid, hasResponse: true })
    return response.status === 0x9000
  })

/** DER as far as anybody knows; undefined: the card has none for this key. Throws TlvError when it is too long for one. */
function readCertificate(session: CardSession, module: CardModule, key: CardKey) {
  const certificate = module.certificate(session, key)
  if (!certificate || certificate.length <= maxCertificateBytes) return certificate
  throw new TlvError('a certificate is too long')
}

/** Of all keys; one that cannot be read is left out, but not when it is asked for alone. */
function readCertificates(session: CardSession, module: CardModule, id: string | undefined) {
  const keys = id === undefined ? module.keys : [requireKey(module, id)]
  return keys.flatMap((key) => {
    try {
      const certificate = readCertificate(session, module, key)
      return certificate ? [{ key: key.id, certificate: toBase64(certificate) }] : []
    } catch (error) {
      if (error instanceof TlvError && id === undefined) return []
      throw error
    }
  })
}

function requireKey(module: CardModule, id: string): CardKey {
  const key = module.keys.find((one) => one.id === id)
  if (key) return key
  const known = module.keys.map((one) => one.id).join(', ')
  throw new CardError('key-unknown', `Cannot find key "${id}": expected one of ${known}`)
}

function requireSameCard(found: Uint8Array | undefined, expected: string | undefined): Uint8Array {
  if (found && toBase64(found) === expected) return found
  if (!found && expected === undefined) return new Uint8Array()
  throw new CardError('card-changed', 'Cannot go on: another card is in the reader now')
}

function requireKeyType(module: CardModule, { id }: CardKey, certificate: Uint8Array): KeyType {
  const type = readKeyType(certificate)
  if (type && module.keyTypes.includes(type)) return type
  throw new CardError(
    'key-unsupported',
    `Cannot use key "${id}": expected ${module.keyTypes.join(', ')}`,
  )
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
