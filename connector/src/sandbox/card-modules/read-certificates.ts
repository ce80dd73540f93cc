/** Reads the certificates of a card: those of its keys, and those of the authorities behind them. */
import type { CardOperation, CardResult } from '../../system/ipc/card-messages.ts'
import { TlvError } from './ber-tlv.ts'
import { CardError } from './card-error.ts'
import { type CardKey, type CardModule, maxCertificateBytes } from './card-module.ts'
import type { CardSession } from './card-session.ts'

type Wanted = Extract<CardOperation, { kind: 'certificates' }>
type Found = Omit<Extract<CardResult, { kind: 'certificates' }>, 'kind'>

/** A certificate that cannot be read is left out, but not when it is asked for alone. */
export function readCertificates(
  session: CardSession,
  module: CardModule,
  { key: id, of = 'keys', publicKeys }: Wanted,
): Found {
  const keys = id === undefined ? module.keys : [requireKey(module, id)]
  const attempt = <T>(read: () => readonly T[]): readonly T[] => {
    try {
      return read()
    } catch (error) {
      if (error instanceof TlvError && id === undefined) return []
      throw error
    }
  }
  const ofKey = (key: CardKey) => {
    const certificate = readCertificate(session, module, key)
    return certificate ? [{ key: key.id, certificate: toBase64(certificate) }] : []
  }
  const ofAuthorities = () =>
    (module.chain?.(session) ?? []).map(({ role, certificate }) => ({
      role,
      certificate: toBase64(requireShort(certificate)),
    }))
  const certificates = of === 'authorities' ? [] : keys.flatMap((key) => attempt(() => ofKey(key)))
  const ofBareKey = (key: CardKey) => {
    if (certificates.some((found) => found.key === key.id)) return []
    const publicKey = module.publicKey?.(session, key)
    return publicKey ? [{ key: key.id, publicKey: toBase64(publicKey) }] : []
  }
  return {
    certificates,
    ...(publicKeys && { publicKeys: keys.flatMap((key) => attempt(() => ofBareKey(key))) }),
    ...(of !== 'keys' && { authorities: [...attempt(ofAuthorities)] }),
  }
}

/** DER as far as anybody knows; undefined: the card has none for this key. Throws TlvError when it is too long for one. */
export function readCertificate(
  session: CardSession,
  module: CardModule,
  key: CardKey,
): Uint8Array | undefined {
  const certificate = module.certificate(session, key)
  return certificate && requireShort(certificate)
}

/** What says which key it is: its certificate, or where the card has none, the public key. undefined: neither. */
export const readKey = (
  session: CardSession,
  module: CardModule,
  key: CardKey,
): Uint8Array | undefined =>
  readCertificate(session, module, key) ?? module.publicKey?.(session, key)

export function requireKey(module: CardModule, id: string): CardKey {
  const key = module.keys.find((one) => one.id === id)
  if (key) return key
  const known = module.keys.map((one) => one.id).join(', ')
  throw new CardError('key-unknown', `Cannot find key "${id}": expected one of ${known}`)
}

function requireShort(certificate: Uint8Array): Uint8Array {
  if (certificate.length <= maxCertificateBytes) return certificate
  throw new TlvError('a certificate is too long')
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
