/** Does one operation with a card, in a fixed order: select, read, prepare, PIN, sign, and nothing between the last two. */
import type { CardOperation, CardResult } from '../../system/ipc/card-messages.ts'
import { TlvError } from './ber-tlv.ts'
import { CardError, UnsentPinError } from './card-error.ts'
import type { CardKey, CardModule, CardPin } from './card-module.ts'
import { cardModules } from './card-modules.ts'
import type { CardSession } from './card-session.ts'
import { isOffered } from './card-status.ts'
import { isSignatureOf } from './check-signature.ts'
import { listApplications, readApplicationData, readPublicKeys } from './emv-data.ts'
import { digestBytes, type KeyType, readKeyType } from './key-type.ts'
import { encodePinVerify, type ReaderPad, verifyOnPad } from './pad.ts'
import { isPinAllowed } from './pin-rule.ts'
import { createBlockedError, readReportedTries, refusePin } from './pin-status.ts'
import { readCertificate, readCertificates, readKey, requireKey } from './read-certificates.ts'
import { readIdentity, readInfo } from './read-identity.ts'
import { createPartReader } from './read-parts.ts'
import { requireAllowedUse } from './require-allowed-use.ts'

export interface OperationOptions {
  /** Empty where the user types it at the pad of the reader. */
  readonly pin: Uint8Array
  /** Called before a PIN is sent: the card has to be reset afterwards, whatever happens. */
  readonly onPin: () => void
  /** undefined: the reader has none. */
  readonly findPad: () => ReaderPad | undefined
  /** Default: those of this connector. */
  readonly modules?: readonly CardModule[]
}

export function runOperation(
  session: CardSession,
  operation: CardOperation,
  options: OperationOptions,
): CardResult {
  try {
    return perform({ session, ...options }, operation)
  } catch (error) {
    if (!(error instanceof TlvError)) throw error
    throw new CardError('card-mute', `Cannot read the card's response: ${error.message}`)
  }
}

interface Work extends OperationOptions {
  readonly session: CardSession
}

function perform(work: Work, operation: CardOperation): CardResult {
  const { session, modules = cardModules } = work
  if (operation.kind === 'probe') {
    const found = modules.filter(({ aids }) => isOneOf(session, aids))
    return { kind: 'probe', modules: found.map(({ id }) => id) }
  }
  if (operation.kind === 'reset') {
    work.onPin()
    return { kind: 'reset' }
  }
  if (!('module' in operation)) throw new Error(`Cannot do "${operation.kind}" with a card`)
  const module = open(session, modules, operation.module)
  switch (operation.kind) {
    case 'certificates':
      return { kind: 'certificates', ...readCertificates(session, module, operation) }
    case 'identity':
      return { kind: 'identity', identity: readIdentity(session, module, operation.parts) }
    case 'payment-applications':
      return { kind: operation.kind, applications: [...listApplications(session)] }
    case 'payment-data':
      return { kind: operation.kind, data: readApplicationData(session, operation.wholePan) }
    case 'payment-keys':
      return { kind: operation.kind, keys: readPublicKeys(session, operation.aid, operation.keys) }
    case 'info':
      return { kind: 'info', info: readInfo(session, module) }
    case 'prepare': {
      const key = requireKey(module, operation.key)
      const certificate = readCertificate(session, module, key)
      const publicKey = certificate ? undefined : module.publicKey?.(session, key)
      const triesLeft = key.pin && readTries(session, key.pin)
      return {
        kind: 'prepare',
        ...(certificate && { certificate: toBase64(certificate) }),
        ...(publicKey && { publicKey: toBase64(publicKey) }),
        ...(triesLeft !== undefined && { triesLeft }),
        ...(operation.asksForPad && key.pin?.pad && { pad: work.findPad() !== undefined }),
      }
    }
    case 'verify': {
      const key = requireKey(module, operation.key)
      requireSameCard(readKey(session, module, key), operation.certificate)
      key.pin?.check?.(session)
      verify(work, key, operation.padTimeoutS)
      return { kind: 'verify' }
    }
    case 'sign':
      return { kind: 'sign', signatures: signAll(work, module, operation) }
  }
}

function signAll(
  work: Work,
  module: CardModule,
  operation: Extract<CardOperation, { kind: 'sign' }>,
): string[] {
  const { session } = work
  const { key: id, certificate, hash, digests, mayAuthenticate, padTimeoutS } = operation
  const key = requireKey(module, id)
  const found = requireSameCard(readKey(session, module, key), certificate)
  const type = requireKeyType(module, key, found)
  requireAllowedUse(key, found, mayAuthenticate)
  key.pin?.check?.(session)
  return digests.map((text) => {
    const bytes = Buffer.from(text, 'base64')
    if (bytes.length !== digestBytes[hash]) {
      throw new CardError(
        'key-unsupported',
        `Cannot sign: a ${hash} hash has ${digestBytes[hash]} bytes`,
      )
    }
    module.prepare?.(session, key, type, hash)
    verify(work, key, padTimeoutS)
    const signature = module.sign(session, key, type, { hash, bytes })
    if (isSignatureOf(found, { hash, bytes }, signature)) return toBase64(signature)
    throw new CardError(
      'card-mute',
      'Cannot use the signature: it is not one by the key of the card',
    )
  })
}

/** `padTimeoutS`: how long the user has at the pad of the reader; undefined: the PIN was entered. */
function verify(work: Work, { pin: rule }: CardKey, padTimeoutS: number | undefined): void {
  if (!rule) return
  if (padTimeoutS !== undefined) verifyByPad(work, rule, padTimeoutS)
  else verifyEntered(work, rule)
}

function verifyByPad({ findPad, onPin }: Work, rule: CardPin, timeoutS: number): void {
  const pad = findPad()
  if (!rule.pad || !pad) {
    throw new CardError('card-changed', 'Cannot continue: the reader no longer has a keypad')
  }
  onPin()
  verifyOnPad(pad, encodePinVerify(rule, rule.pad, timeoutS))
}

function verifyEntered({ session, pin, onPin }: Work, rule: CardPin): void {
  if (!isPinAllowed(rule, pin)) {
    throw new UnsentPinError(
      'Cannot use this PIN: its length or characters are not valid for this card',
    )
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

/** undefined: the card does not tell. Throws `pin-blocked` when there are none, and `card-mute` for a card that fails. */
function readTries(session: CardSession, pin: CardPin): number | undefined {
  pin.check?.(session)
  const tries = pin.readTries?.(session) ?? askForTries(session, pin)
  if (tries === 0) throw createBlockedError()
  return tries
}

function askForTries(session: CardSession, pin: CardPin): number | undefined {
  if (!pin.tellsTries) return undefined
  return readReportedTries(session.send({ ins: 0x20, p1: 0x00, p2: pin.reference }).status)
}

function open(session: CardSession, modules: readonly CardModule[], id: string): CardModule {
  const module = modules.find((one) => one.id === id)
  if (module && select(session, [...module.aids, ...(module.otherAids ?? [])])) return module
  throw new CardError('card-unsupported', `Cannot use the card: module "${id}" does not support it`)
}

/** Selects the first of these applications that the card has. Throws `card-mute` when it gives none, and one of them may be there. */
function select(session: CardSession, aids: readonly Uint8Array[]): boolean {
  const reader = createPartReader()
  const isSelected = aids.some((aid) => reader.read(() => selectOne(session, aid)).length > 0)
  if (!isSelected) reader.requireAny()
  return isSelected
}

/** undefined: the card has no such application. */
function selectOne(session: CardSession, aid: Uint8Array): true | undefined {
  const { status } = session.send({ ins: 0xa4, p1: 0x04, p2: 0x00, data: aid, hasResponse: true })
  return isOffered(status) || undefined
}

/** For a list of kinds: one that cannot be told is none of them. */
const isOneOf = (session: CardSession, aids: readonly Uint8Array[]): boolean =>
  createPartReader().read(() => select(session, aids) || undefined).length > 0

function requireSameCard(found: Uint8Array | undefined, expected: string | undefined): Uint8Array {
  if (found && toBase64(found) === expected) return found
  if (!found && expected === undefined) return new Uint8Array()
  throw new CardError('card-changed', 'Cannot continue: another card is in the reader now')
}

function requireKeyType(
  module: CardModule,
  { id, signs }: CardKey,
  certificate: Uint8Array,
): KeyType {
  const type = readKeyType(certificate)
  if (signs !== false && type && module.keyTypes.includes(type)) return type
  throw new CardError(
    'key-unsupported',
    `Cannot use key "${id}": expected ${module.keyTypes.join(', ')}`,
  )
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
