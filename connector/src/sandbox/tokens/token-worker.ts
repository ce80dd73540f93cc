/** Does one operation with a token of a library: opens sessions, does it, and closes them. */
import { canAuthenticate } from '../../pki/key-usage.ts'
import type { CardOperation, CardRequest, CardResult } from '../../system/ipc/card-messages.ts'
import type { TokenDescription, TokenLibrary } from '../../system/ipc/token-messages.ts'
import { CardError } from '../card-modules/card-error.ts'
import { containsKey, readPublicKeyBytes } from '../card-modules/key-type.ts'
import { requireAllowedUse } from '../card-modules/require-allowed-use.ts'
import { Pkcs11Error, toCardError } from '../pkcs11/codes.ts'
import { mechanisms } from '../pkcs11/layout.ts'
import type { Pkcs11, Session } from '../pkcs11/pkcs11.ts'
import { chooseSlots, listTokenNames, readSlots, type TokenSlot } from './choose-slots.ts'
import { type FoundKey, type FoundObjects, listKeys } from './list-keys.ts'
import { signDigests } from './sign-with-token.ts'
import { readTokenInfo } from './token-info.ts'
import {
  hasOwnPad,
  ignoreErrors,
  type Login,
  readTriesLeft,
  toPinRule,
  withLogin,
} from './token-login.ts'

/** `load` is called for the first request; the process has one library. */
export function createTokenWorker(
  load: (library: TokenLibrary) => Pkcs11,
): (request: CardRequest, pin: Uint8Array) => CardResult {
  let pkcs11: Pkcs11 | undefined
  return (request, pin) => {
    const { library } = request
    if (!library) throw new Error('Cannot use a token: the request names no library')
    pkcs11 ??= load(library)
    try {
      return run(pkcs11, library, request, pin)
    } catch (error) {
      throw error instanceof Pkcs11Error ? toCardError(error) : error
    }
  }
}

function run(
  pkcs11: Pkcs11,
  { isOwn }: TokenLibrary,
  { reader, operation }: CardRequest,
  pin: Uint8Array,
): CardResult {
  const all = readSlots(pkcs11)
  if (operation.kind === 'list-tokens')
    return { kind: operation.kind, names: [...listTokenNames(all)] }
  const slots = chooseSlots(all, { reader, isOwn })
  const sessions: Session[] = []
  try {
    for (const { slot } of slots) sessions.push(pkcs11.open(slot))
    return perform({ pkcs11, slots, sessions, pin }, operation)
  } finally {
    for (const session of sessions) ignoreErrors(() => pkcs11.close(session))
  }
}

interface Work {
  readonly pkcs11: Pkcs11
  readonly slots: readonly TokenSlot[]
  readonly sessions: readonly Session[]
  readonly pin: Uint8Array
}

function perform(work: Work, operation: CardOperation): CardResult {
  const { pkcs11, slots, sessions } = work
  if (operation.kind === 'token-info')
    return { kind: operation.kind, info: readTokenInfo(pkcs11, slots) }
  const found = listKeys(pkcs11, sessions)
  switch (operation.kind) {
    case 'describe-token':
      return { kind: operation.kind, token: describeToken(work, found) }
    case 'certificates':
      return { kind: operation.kind, ...listCertificates(found, operation) }
    case 'prepare': {
      const key = requireKey(found, operation.key)
      const { slot } = requireSlot(work, key)
      const token = pkcs11.readToken(slot)
      const triesLeft = readTriesLeft(token)
      return {
        kind: operation.kind,
        certificate: toBase64(key.certificate),
        ...(triesLeft !== undefined && { triesLeft }),
        ...(hasOwnPad(token) && { pad: true }),
      }
    }
    case 'verify': {
      const login = toLogin(work, requireSameKey(found, operation), operation)
      return withLogin(pkcs11, login, () => ({ kind: operation.kind }))
    }
    case 'sign': {
      const key = requireSameKey(found, operation)
      const login = toLogin(work, key, operation)
      const { hash, padding, mayAuthenticate } = operation
      for (const { certificate } of listCertificatesOf(found, key))
        requireAllowedUse(key, certificate, mayAuthenticate)
      if (hasUnread(found, key) && !mayAuthenticate)
        throw new CardError('card-mute', 'Cannot read a certificate of the key')
      const digests = operation.digests.map((text) => ({
        ...{ hash, padding, bytes: Buffer.from(text, 'base64') },
      }))
      const signatures = withLogin(pkcs11, login, () => signDigests(pkcs11, login, key, digests))
      return { kind: operation.kind, signatures: signatures.map(toBase64) }
    }
    default:
      throw new CardError(
        'card-unsupported',
        'Cannot do this with a token: its library has no such operation',
      )
  }
}

function describeToken({ pkcs11, slots }: Work, found: FoundObjects): TokenDescription {
  const known = new Set(slots.flatMap(({ slot }) => pkcs11.listMechanisms(slot)))
  const label = slots[0]?.token.label || 'Token'
  return {
    label,
    hasAuthorities: found.authorities.length > 0,
    signsPss: known.has(mechanisms.rsaPkcsPss),
    keyTypes: [
      ...(known.has(mechanisms.rsaPkcs) ? rsaTypes : []),
      ...(known.has(mechanisms.ecdsa) ? ellipticTypes : []),
    ],
    keys: found.keys.map((key) => {
      const token = slots[key.slotIndex]?.token
      const pin = token && toPinRule(token)
      // Without a PIN nobody would be asked: such a key signs nothing.
      const signs = pin !== undefined && key.purpose !== 'encryption' && key.objectId.length > 0
      return {
        ...{ id: key.id, purpose: key.purpose, label: token?.label || label },
        ...(key.alsoSigns && { alsoSigns: true as const }),
        ...(authenticates(found, key) && { authenticates: true as const }),
        ...(!signs && { signs: false as const }),
        ...(pin && { pin: { reference: key.slotIndex, min: pin.min, max: pin.max } }),
      }
    }),
  }
}

/** One private key may have several certificates, each for something else: its signatures belong to all of them. */
const listCertificatesOf = ({ keys }: FoundObjects, key: FoundKey): readonly FoundKey[] => {
  const publicKey = readPublicKeyBytes(key.certificate)
  return keys.filter(
    (one) => one === key || readPublicKeyBytes(one.certificate)?.equals(publicKey ?? none),
  )
}
const none = Buffer.alloc(0)

const authenticates = (found: FoundObjects, key: FoundKey): boolean =>
  hasUnread(found, key) ||
  listCertificatesOf(found, key).some(({ certificate }) => canAuthenticate(certificate))

/** Whether a certificate that cannot be read may be one of this key. What it allows is not known. */
function hasUnread({ unread }: FoundObjects, key: FoundKey): boolean {
  const publicKey = readPublicKeyBytes(key.certificate)
  return unread.some(
    ({ objectId, value }) =>
      !publicKey ||
      containsKey(value, publicKey) ||
      Buffer.from(objectId).equals(key.objectId) ||
      objectId.length + value.length === 0,
  )
}

const rsaTypes = ['RSA-2048', 'RSA-3072', 'RSA-4096'] as const
const ellipticTypes = ['P-256', 'P-384'] as const

function listCertificates(
  found: FoundObjects,
  { keys: ids, authorities: roles }: Extract<CardOperation, { kind: 'certificates' }>,
) {
  const keys = ids ? ids.map((id) => requireKey(found, id)) : found.keys
  return {
    certificates: keys.map(({ id, certificate }) => ({
      ...{ key: id, certificate: toBase64(certificate) },
    })),
    ...(roles && {
      authorities: found.authorities
        .filter(({ role }) => roles.includes(role))
        .map(({ role, certificate }) => ({ role, certificate: toBase64(certificate) })),
    }),
  }
}

function requireKey({ keys }: FoundObjects, id: string): FoundKey {
  const key = keys.find((one) => one.id === id)
  if (key) return key
  const known = keys.map((one) => one.id).join(', ')
  throw new CardError('key-unknown', `Cannot find key "${id}": expected one of ${known}`)
}

function requireSameKey(
  found: FoundObjects,
  { key: id, certificate }: Extract<CardOperation, { kind: 'verify' | 'sign' }>,
): FoundKey {
  const key = found.keys.find((one) => one.id === id)
  if (key && toBase64(key.certificate) === certificate) return key
  throw new CardError('card-changed', 'Cannot continue: another token is there now')
}

function requireSlot({ slots }: Work, { slotIndex }: FoundKey): TokenSlot {
  const slot = slots[slotIndex]
  if (slot) return slot
  throw new Error('Cannot use a key: its slot is not one of the reader')
}

function toLogin(
  work: Work,
  key: FoundKey,
  { padTimeoutS }: Extract<CardOperation, { kind: 'verify' | 'sign' }>,
): Login {
  const session = work.sessions[key.slotIndex]
  const slot = requireSlot(work, key)
  if (session === undefined) throw new Error('Cannot use a key: its slot has no session')
  return { session, slot, pin: padTimeoutS === undefined ? work.pin : undefined }
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
