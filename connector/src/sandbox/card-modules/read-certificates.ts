/** Reads the certificates of a card: those of its keys, and those of the authorities behind them. */
import type { CardOperation, CardResult } from '../../system/ipc/card-messages.ts'
import { TlvError } from './ber-tlv.ts'
import { CardError } from './card-error.ts'
import { type CardKey, type CardModule, maxCertificateBytes } from './card-module.ts'
import type { CardSession } from './card-session.ts'
import { createPartReader } from './read-parts.ts'

type Wanted = Extract<CardOperation, { kind: 'certificates' }>
type Found = Omit<Extract<CardResult, { kind: 'certificates' }>, 'kind'>

/** What cannot be read is left out; throws when nothing can be. */
export function readCertificates(
  session: CardSession,
  module: CardModule,
  { keys: ids, authorities: roles, publicKeys: wantsPublicKeys }: Wanted,
): Found {
  const keys = ids ? ids.map((id) => requireKey(module, id)) : module.keys
  const reader = createPartReader()
  const publicKeys: { key: string; publicKey: string }[] = []
  const certificates = keys.flatMap((key) =>
    reader.read(() => {
      const certificate = readCertificate(session, module, key)
      if (certificate) return [{ key: key.id, certificate: toBase64(certificate) }]
      const publicKey = wantsPublicKeys ? module.publicKey?.(session, key) : undefined
      if (!publicKey) return undefined
      publicKeys.push({ key: key.id, publicKey: toBase64(publicKey) })
      return []
    }),
  )
  const authorities = roles?.flatMap((role) =>
    reader.read(() => {
      const certificate = module.chain?.(session, role)
      return certificate && { role, certificate: toBase64(requireShort(certificate)) }
    }),
  )
  reader.requireAny()
  return {
    certificates: certificates.flat(),
    ...(wantsPublicKeys && { publicKeys }),
    ...(authorities && { authorities }),
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
